/** Keys that work on every page. Pure. */

export type Shortcut = "search" | "help"

export interface KeyPress {
  readonly key: string
  readonly ctrlKey: boolean
  readonly altKey: boolean
  readonly metaKey: boolean
  readonly defaultPrevented: boolean
}

/**
 * Shortcut of a key: Ctrl-K or Command-K everywhere, `/` and `?` outside of fields. A key that the page itself has
 * used is left to the page. `typing`: a field has the focus.
 */
export const shortcutOf = (pressed: KeyPress, typing: boolean): Shortcut | undefined => {
  if (pressed.defaultPrevented || pressed.altKey) return undefined
  if (pressed.ctrlKey || pressed.metaKey) return pressed.key.toLowerCase() === "k" ? "search" : undefined
  if (typing) return undefined
  return pressed.key === "/" ? "search" : pressed.key === "?" ? "help" : undefined
}

/** Whether keys are text in this element. */
export const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches("input:not([type=checkbox], [type=radio]), textarea, select"))
