/** Keys of the transactions page. Pure. */

export const commands = {
  next: ["j"],
  previous: ["k"],
  accept: ["Enter", "a"],
  split: ["s"],
  ignore: ["i"],
  undo: ["u"],
  search: ["/"],
  help: ["?"]
} as const satisfies Readonly<Record<string, ReadonlyArray<string>>>

export type Command = keyof typeof commands

/**
 * Element with the focus. `typing`: a field, where every key is text. `control`: a button, link or summary, which Enter
 * presses. `row`: the row of the selected transaction.
 */
export type Focus = "page" | "typing" | "control" | "row"

export interface Pressed {
  readonly key: string
  readonly ctrlKey: boolean
  readonly altKey: boolean
  readonly metaKey: boolean
  /** Whether the key repeats because it is held down. */
  readonly repeat: boolean
}

/** Commands that a held key repeats. A repeated decision would reach transactions that nobody has read. */
const repeating: ReadonlyArray<Command> = ["next", "previous"]

/** Command of a key; undefined when the key belongs to the browser, to a field or to a control. */
export const commandOf = (pressed: Pressed, focus: Focus): Command | undefined => {
  if (focus === "typing" || pressed.ctrlKey || pressed.altKey || pressed.metaKey) return undefined
  if (pressed.key === "Enter" && focus === "control") return undefined
  const found = (Object.keys(commands) as Array<Command>).find((command) =>
    (commands[command] as ReadonlyArray<string>).includes(pressed.key)
  )
  return found !== undefined && pressed.repeat && !repeating.includes(found) ? undefined : found
}

/** Index of the selected transaction after `next` or `previous`; undefined in an empty list. */
export const moved = (at: number, step: 1 | -1, count: number): number | undefined =>
  count === 0 ? undefined : at < 0 ? (step === 1 ? 0 : count - 1) : Math.min(count - 1, Math.max(0, at + step))

/**
 * Index of the transaction to select after a decision about the one at `at`: the next undecided one, from the start
 * again at the end; undefined when there is none. `undecided`: by index.
 */
export const following = (at: number, undecided: ReadonlyArray<boolean>): number | undefined => {
  const order = [...undecided.keys()].map((_, step) => (at + 1 + step) % undecided.length)
  return order.find((index) => index !== at && undecided[index])
}
