/** Renders texts of a language as JSON, for everybody. */
import { render as renderAnswer, type RenderedAnswer } from "#core/lane/RenderedAnswer.ts"

/** How long other parties may use a bundle without asking. Unit: seconds. Source: interface document 2 §8. */
export const maxAge = 3_600

/**
 * Compression of bundles. Reason: a changed text is visible within a second, also in a bundle of 50,000 texts. The best
 * quality of brotli takes several seconds for it, this one about 0.1 s.
 */
const levels = { brotli: 5, gzip: 6 }

/** Headers of every answer, also of a 304. Scripts of any page may read the texts, which are public. */
const always: ReadonlyArray<string> = [
  "cache-control",
  `public, max-age=${maxAge}`,
  "x-content-type-options",
  "nosniff",
  "access-control-allow-origin",
  "*",
  "access-control-expose-headers",
  "ETag"
]

export const render = (json: string): Promise<RenderedAnswer> =>
  renderAnswer({ type: "application/json", body: json, always, levels })
