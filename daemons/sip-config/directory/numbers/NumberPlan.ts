/**
 * Classifies extension numbers by the number plan and warns about conflicts. Pure. No number is rejected here, because
 * the ranges of the plan overlap and operators may have reasons; emergency numbers are rejected before. Source:
 * interface document 2 §2.3.
 */

/**
 * Kind of an extension. `employee`: 1000–1099. `line`: 1010–1019, inside the range of employees. `short`: 21–29.
 * `webrtc`: number or name begins with it. `test`: ends in 99. `other`: none of these.
 */
export type NumberKind = "employee" | "line" | "short" | "webrtc" | "test" | "other"

export interface Classified {
  /** Most specific kind that fits. */
  readonly kind: NumberKind
  /** Full sentences for the user who creates the extension. */
  readonly warnings: ReadonlyArray<string>
}

const within = (text: string, first: number, last: number): boolean =>
  /^[1-9]\d*$/.test(text) && Number(text) >= first && Number(text) <= last

/** Whether the extension is for a client that only uses WebRTC: secure WebSocket and SRTP. */
export const isWebRtc = (extension: string, name: string): boolean =>
  /^webrtc/i.test(extension) || /^webrtc/i.test(name)

/** Classifies an extension. `name`: name of the extension, which marks clients that only use WebRTC. */
export const classify = (extension: string, name: string): Classified => {
  const webrtc = isWebRtc(extension, name)
  const test = /^\d*99$/.test(extension)
  const employee = within(extension, 1000, 1099)
  const line = within(extension, 1010, 1019)
  const short = within(extension, 21, 29)
  const warnings = [
    ...(line ? [`${extension} is in the range of lines (1010–1019), inside the range of employees (1000–1099).`] : []),
    ...(test && employee
      ? [`${extension} ends in 99, which is reserved for tests, and is in the range of employees (1000–1099).`]
      : []),
    ...(webrtc || employee || short || test
      ? []
      : [`${extension} is in no range of the number plan (1000–1099, 21–29, webrtc…, …99).`])
  ]
  return {
    kind: webrtc ? "webrtc" : test ? "test" : line ? "line" : employee ? "employee" : short ? "short" : "other",
    warnings
  }
}
