/** Renders an answer to bytes and headers in every encoding, once for many requests. */
import { createHash } from "node:crypto"
import { compressed, worthCompressing } from "#core/lane/Compressed.ts"
import type { Encoding } from "#core/lane/Encoding.ts"
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

export interface Form {
  readonly etag: string
  /** Names and values, alternating: Node writes this form fastest. */
  readonly headers: ReadonlyArray<string>
  /** Headers of a 304, without those of the content. */
  readonly unchanged: ReadonlyArray<string>
  readonly body: Buffer
}

export type Rendered = Readonly<Record<Encoding, Form>>

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

/** Renders all encodings; compression runs in Node's thread pool. */
export const render = async ({ body, headers = {}, language, page = false, type }: Document): Promise<Rendered> => {
  const plain = Buffer.from(body)
  const small = plain.length < worthCompressing
  const hash = createHash("sha256").update(type).update(language).update(plain).digest("base64url").slice(0, 22)
  const always = [
    "cache-control",
    cacheControl,
    "vary",
    small ? "accept-language" : "accept-language, accept-encoding",
    "x-content-type-options",
    "nosniff",
    ...(page ? [] : publicHeaders)
  ]
  const form = (encoding: Encoding, bytes: Buffer): Form => {
    const etag = encoding === "identity" ? `"${hash}"` : `"${hash}-${encoding}"`
    return {
      etag,
      headers: [
        "content-type",
        type,
        "content-length",
        String(bytes.length),
        "content-language",
        language,
        ...(encoding === "identity" ? [] : ["content-encoding", encoding]),
        "etag",
        etag,
        ...always,
        ...Object.entries(headers)
          .filter(([name]) => name !== "x-content-type-options")
          .flat()
      ],
      unchanged: ["etag", etag, ...always],
      body: bytes
    }
  }
  const identity = form("identity", plain)
  if (small) return { br: identity, gzip: identity, identity }
  const [br, zipped] = await Promise.all([compressed("br", plain), compressed("gzip", plain)])
  return { br: form("br", br), gzip: form("gzip", zipped), identity }
}
