/**
 * What the number of an extension says about it, and what is odd about that. Pure. Nothing is refused: the plan's own
 * ranges overlap, and an operator may have reasons. Source: interface document 2 §2.3.
 */

/**
 * `employee` 1000–1099; `line` 1010–1019, which lie inside them; `short` 21–29; `webrtc`: the name begins so; `test`:
 * ends in 99; `other`.
 */
export type NumberKind = "employee" | "line" | "short" | "webrtc" | "test" | "other"

export interface Classified {
  /** The most particular one that fits. */
  readonly kind: NumberKind
  /** Whole sentences for whoever makes the extension. */
  readonly warnings: ReadonlyArray<string>
}

const within = (text: string, first: number, last: number): boolean =>
  /^[1-9]\d*$/.test(text) && Number(text) >= first && Number(text) <= last

/** `name`: of the extension; a client that only speaks WebRTC is known by it. */
export const classify = (extension: string, name: string): Classified => {
  const webrtc = /^webrtc/i.test(extension) || /^webrtc/i.test(name)
  const test = /\d99$/.test(extension)
  const employee = within(extension, 1000, 1099)
  const line = within(extension, 1010, 1019)
  const short = within(extension, 21, 29)
  const warnings = [
    ...(line
      ? [`${extension} lies in 1010–1019, which is kept for lines, and in 1000–1099, which is for employees.`]
      : []),
    ...(test && employee
      ? [`${extension} ends in 99, which is for tests, and lies in 1000–1099, which is for employees.`]
      : []),
    ...(webrtc || employee || short || test
      ? []
      : [`${extension} lies in no range of the number plan (1000–1099, 21–29, webrtc…, …99).`])
  ]
  return {
    kind: webrtc ? "webrtc" : test ? "test" : line ? "line" : employee ? "employee" : short ? "short" : "other",
    warnings
  }
}
