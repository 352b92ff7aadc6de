/** Renders an answer to bytes and headers in every encoding, once for many requests. */
import { createHash } from "node:crypto"
import { compressed, matches, worthCompressing } from "#core/lane/Compressed.ts"
import { type Encoding, encodingBy } from "#core/lane/Encoding.ts"
import type { PreparedAnswer } from "#core/lane/PreparedAnswer.ts"

interface Form {
  readonly etag: string
  readonly whole: PreparedAnswer
  /** The 304 answer, for a request whose `If-None-Match` contains the entity tag. */
  readonly unchanged: PreparedAnswer
}

export type Rendered = Readonly<Record<Encoding, Form>>

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
  "vary",
  "accept-encoding",
  "x-content-type-options",
  "nosniff",
  "access-control-allow-origin",
  "*",
  "access-control-expose-headers",
  "ETag"
]

/** Renders JSON in all encodings. Each has a strong entity tag of its own. */
export const render = async (json: string): Promise<Rendered> => {
  const plain = Buffer.from(json)
  const hash = createHash("sha256").update(plain).digest("base64url").slice(0, 22)
  const form = (encoding: Encoding, body: Buffer): Form => {
    const etag = encoding === "identity" ? `"${hash}"` : `"${hash}-${encoding}"`
    return {
      etag,
      whole: {
        status: 200,
        headers: [
          "content-type",
          "application/json",
          "content-length",
          String(body.length),
          ...(encoding === "identity" ? [] : ["content-encoding", encoding]),
          "etag",
          etag,
          ...always
        ],
        body
      },
      unchanged: { status: 304, headers: ["etag", etag, ...always], body: undefined }
    }
  }
  const identity = form("identity", plain)
  if (plain.length < worthCompressing) return { br: identity, gzip: identity, identity }
  const [br, gzip] = await Promise.all([compressed("br", plain, levels), compressed("gzip", plain, levels)])
  return { br: form("br", br), gzip: form("gzip", gzip), identity }
}

/** The answer for the headers of a request. */
export const answerOf = (
  rendered: Rendered,
  accepted: string | undefined,
  condition: string | undefined
): PreparedAnswer => {
  const form = rendered[encodingBy(accepted)]
  return condition !== undefined && matches(condition, form.etag) ? form.unchanged : form.whole
}
