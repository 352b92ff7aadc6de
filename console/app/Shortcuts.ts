/** Keys that work on every page. Pure. */

export type Shortcut = "search" | "help" | "undo"

export interface KeyPress {
  readonly key: string
  readonly ctrlKey: boolean
  readonly altKey: boolean
  readonly metaKey: boolean
  readonly shiftKey: boolean
  readonly defaultPrevented: boolean
}

/**
 * Shortcut of a key: Ctrl-K or Command-K everywhere; `/`, `?` and Ctrl-Z or Command-Z outside of fields, because Ctrl-Z
 * takes back the typing in a field. A key that the page itself has used is left to the page. `typing`: a field has the
 * focus.
 */
export const shortcutOf = (pressed: KeyPress, typing: boolean): Shortcut | undefined => {
  if (pressed.defaultPrevented || pressed.altKey) return undefined
  if (pressed.ctrlKey || pressed.metaKey) {
    const key = pressed.key.toLowerCase()
    return key === "k" ? "search" : key === "z" && !typing && !pressed.shiftKey ? "undo" : undefined
  }
  if (typing) return undefined
  return pressed.key === "/" ? "search" : pressed.key === "?" ? "help" : undefined
}

/** Whether keys are text in this element. */
export const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches("input:not([type=checkbox], [type=radio]), textarea, select"))
