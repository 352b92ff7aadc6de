import type { ComponentChildren } from "preact"

/** The colours of the interface document: info blue, success green, warning yellow, error red; `quiet` is grey. */
export type Tone = "info" | "success" | "warning" | "error" | "quiet"

/** A short word with a colour; the word says it, the colour repeats it. */
export const Badge = ({ children, tone }: { readonly tone: Tone; readonly children: ComponentChildren }) => (
  <span class={`badge ${tone}`}>{children}</span>
)
