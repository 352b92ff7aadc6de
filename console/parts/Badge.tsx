import type { ComponentChildren } from "preact"

/** Colours of the interface document: info blue, success green, warning yellow, error red; `quiet` is grey. */
export type Tone = "info" | "success" | "warning" | "error" | "quiet"

/** A short coloured label. The word alone carries the meaning. */
export const Badge = ({ children, tone }: { readonly tone: Tone; readonly children: ComponentChildren }) => (
  <span class={`badge ${tone}`}>{children}</span>
)
