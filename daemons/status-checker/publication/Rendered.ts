/** An answer as bytes, in each form that somebody may take, with the headers of each. Made once, sent often. */
import { createHash } from "node:crypto"
import { promisify } from "node:util"
import * as zlib from "node:zlib"
import type { Language } from "#core/words/Language.ts"
import type { Encoding } from "./Encoding.ts"

/** What is to be sent. */
export interface Document {
  readonly type: string
  readonly body: string
  readonly language: Language
  /** Beside those that every answer has. */
  readonly headers?: Readonly<Record<string, string>>
  /** For a person in a browser, and for no other page's script. */
  readonly page?: boolean
}

export interface Form {
  readonly etag: string
  /** Names and values in turn, as node writes them fastest. */
  readonly headers: ReadonlyArray<string>
  /** The same for 304, which speaks of no content. */
  readonly unchanged: ReadonlyArray<string>
  readonly body: Buffer
}

export type Rendered = Readonly<Record<Encoding, Form>>

/**
 * What caches may do with an answer. Unit of `max-age`: seconds. Reason: many look at once when something fails, and
 * one question in ten seconds for all of them is enough; but what is older than that is not to be shown as if it were
 * now, so no cache may serve it unasked.
 */
export const cacheControl = "public, max-age=10, must-revalidate"

/** Shorter answers are sent as they are. Unit: bytes. Reason: they fit a packet anyway. */
const worthCompressing = 1_024

/** Reason: within a few per cent of the best, in a tenth of its time. Range: 0 to 11. */
const brotliQuality = 9

const [brotli, gzip] = [promisify(zlib.brotliCompress), promisify(zlib.gzip)]

/** Says to scripts of other pages that they may read it: it is public, and no cookie counts. */
export const publicHeaders: ReadonlyArray<string> = [
  "access-control-allow-origin",
  "*",
  "access-control-expose-headers",
  "ETag"
]

/** Compresses in node's threads. */
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

/** As it is served, and as it is written for a proxy. */
export const compressed = (encoding: Exclude<Encoding, "identity">, bytes: Buffer): Promise<Buffer> =>
  encoding === "gzip"
    ? gzip(bytes, { level: zlib.constants.Z_BEST_COMPRESSION })
    : brotli(bytes, {
        params: {
          [zlib.constants.BROTLI_PARAM_QUALITY]: brotliQuality,
          [zlib.constants.BROTLI_PARAM_SIZE_HINT]: bytes.length
        }
      })

/**
 * Whether an `If-None-Match` names this form. Weak comparison: a proxy that compresses makes a tag weak. Source: RFC
 * 9110 §13.1.2.
 */
export const matches = (condition: string, etag: string): boolean =>
  condition === etag ||
  condition.trim() === "*" ||
  condition.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag)
