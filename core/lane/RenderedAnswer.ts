/**
 * An answer that is rendered once, in every encoding, and then sent many times from memory. Each encoding has a strong
 * entity tag of its own.
 */
import { createHash } from "node:crypto"
import { compressed, type Levels, matches, worthCompressing } from "./Compressed.ts"
import { type Encoding, encodingBy } from "./Encoding.ts"
import type { PreparedAnswer } from "./PreparedAnswer.ts"

export interface RenderedForm {
  readonly etag: string
  readonly whole: PreparedAnswer & { readonly body: Buffer }
  /** The 304 answer, for a request whose `If-None-Match` contains the entity tag. */
  readonly unchanged: PreparedAnswer & { readonly body: undefined }
}

export type RenderedAnswer = Readonly<Record<Encoding, RenderedForm>>

export interface Content {
  readonly type: string
  readonly body: string
  /** Content-Language; it is part of the entity tag. */
  readonly language?: string
  /** Request headers that the content depends on, besides Accept-Encoding. */
  readonly vary?: ReadonlyArray<string>
  /** Headers of every answer, also of a 304. Names and values alternate. */
  readonly always: ReadonlyArray<string>
  /** Headers of the whole answer only. Names and values alternate. */
  readonly headers?: ReadonlyArray<string>
  /** Default: small results, for answers that are rendered rarely. */
  readonly levels?: Levels
}

/** Length of an entity tag's hash. Unit: base64url characters. Reason: 132 bits of SHA-256. */
const tagLength = 22

/** Renders all encodings; compression runs in Node's thread pool. Small content is not compressed. */
export const render = async (content: Content): Promise<RenderedAnswer> => {
  const { always, body, headers = [], language, levels, type, vary = [] } = content
  const plain = Buffer.from(body)
  const small = plain.length < worthCompressing
  const hash = createHash("sha256").update(type)
  if (language !== undefined) hash.update(language)
  const tag = hash.update(plain).digest("base64url").slice(0, tagLength)
  const depends = small ? vary : [...vary, "accept-encoding"]
  const common = [...(depends.length === 0 ? [] : ["vary", depends.join(", ")]), ...always]
  const form = (encoding: Encoding, bytes: Buffer): RenderedForm => {
    const etag = encoding === "identity" ? `"${tag}"` : `"${tag}-${encoding}"`
    return {
      etag,
      whole: {
        status: 200,
        headers: [
          "content-type",
          type,
          "content-length",
          String(bytes.length),
          ...(language === undefined ? [] : ["content-language", language]),
          ...(encoding === "identity" ? [] : ["content-encoding", encoding]),
          "etag",
          etag,
          ...common,
          ...headers
        ],
        body: bytes
      },
      unchanged: { status: 304, headers: ["etag", etag, ...common], body: undefined }
    }
  }
  const identity = form("identity", plain)
  if (small) return { br: identity, gzip: identity, identity }
  const [br, gzip] = await Promise.all([compressed("br", plain, levels), compressed("gzip", plain, levels)])
  return { br: form("br", br), gzip: form("gzip", gzip), identity }
}

/** The answer to a request with these values of Accept-Encoding and If-None-Match. */
export const answerOf = (
  rendered: RenderedAnswer,
  accepted: string | undefined,
  condition: string | undefined
): RenderedForm["whole"] | RenderedForm["unchanged"] => {
  const form = rendered[encodingBy(accepted)]
  return condition !== undefined && matches(condition, form.etag) ? form.unchanged : form.whole
}
