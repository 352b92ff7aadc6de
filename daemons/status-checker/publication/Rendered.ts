/** Renders documents of the public interface. */
import { render as renderAnswer, type RenderedAnswer } from "#core/lane/RenderedAnswer.ts"
import type { LanguageCode } from "#core/words/TextMemory.ts"

/** Answer before encoding. */
export interface Document {
  readonly type: string
  readonly body: string
  readonly language: LanguageCode
  /** In addition to the common headers. */
  readonly headers?: Readonly<Record<string, string>>
  /** A page for browsers, which scripts of other origins may not read. */
  readonly page?: boolean
}

/**
 * Unit of `max-age`: seconds. Reason: during an outage many people load the page, and one request in ten seconds is
 * enough for a cache. Stale content must not be served, because it would look current.
 */
export const cacheControl = "public, max-age=10, must-revalidate"

/** Lets scripts of any origin read the answer: it is public and needs no cookie. */
export const publicHeaders: ReadonlyArray<string> = [
  "access-control-allow-origin",
  "*",
  "access-control-expose-headers",
  "ETag, x-limit"
]

export const render = ({ body, headers = {}, language, page = false, type }: Document): Promise<RenderedAnswer> =>
  renderAnswer({
    type,
    body,
    language,
    vary: ["accept-language"],
    always: ["cache-control", cacheControl, "x-content-type-options", "nosniff", ...(page ? [] : publicHeaders)],
    headers: Object.entries(headers)
      .filter(([name]) => name !== "x-content-type-options")
      .flat()
  })
