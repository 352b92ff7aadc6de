/**
 * What the switch posts, read field by field as it is needed: a body has up to 200 fields, of which five decide. Pure but for `read`.
 *
 * The five base fields come first and are NOT encoded: a value may hold `&`, `+` and `%` as they are. All others are percent-encoded
 * (a space as %20, a plus as %2B, so a plus is a plus), their names are not, and one may come several times. So a base field is the
 * first of its name, any other one the last, which nothing that a caller says can come behind. Source: mod_xml_curl.c, switch_event.c.
 */
import type { IncomingMessage } from "node:http"

/** Longest body. Unit: bytes. Reason: real ones have up to 7 KB; a call's variables may hold an offer of media and headers of a caller. */
export const maxBody = 64 * 1024

/** Longest value that is read. Unit: characters as posted. Reason: three times the longest domain; nothing of ours is longer. */
const maxValue = 768

export interface SwitchBody {
  /** A base field as it was posted; undefined: absent, empty or too long. */
  readonly base: (name: "section" | "tag_name" | "key_name" | "key_value") => string | undefined
  /** Another field, decoded; undefined: absent, empty, too long or badly encoded. */
  readonly field: (name: string) => string | undefined
  /** Whether a field was posted, however badly. */
  readonly has: (name: string) => boolean
}

/** Reads the whole body as bytes in a string; undefined: it was too long, and `start` is how it begins. Calls back once, or never when the client goes away. */
export const read = (request: IncomingMessage, done: (text: string, whole: boolean) => void): void => {
  let first: Buffer | undefined
  let more: Array<Buffer> | undefined
  let size = 0
  request.on("data", (chunk: Buffer) => {
    const before = size
    size += chunk.length
    // What comes after the bound is let go by, so that the switch gets to read the answer.
    if (before > maxBody) return
    if (first === undefined) first = chunk
    else (more ??= [first]).push(chunk)
  })
  request.on("end", () => {
    const whole = more === undefined ? first ?? noBytes : Buffer.concat(more)
    done(whole.toString("latin1", 0, maxBody), size <= maxBody)
  })
}
const noBytes = Buffer.alloc(0)

export const switchBody = (text: string): SwitchBody => {
  const valueAt = (start: number): string | undefined => {
    const next = text.indexOf("&", start)
    const end = next === -1 ? text.length : next
    return end === start || end - start > maxValue ? undefined : text.slice(start, end)
  }
  const last = (name: string): number => {
    const found = text.lastIndexOf(`&${name}=`)
    return found !== -1 ? found + name.length + 2 : text.startsWith(`${name}=`) ? name.length + 1 : -1
  }
  return {
    base: (name) => {
      const found = text.startsWith(`${name}=`) ? 0 : text.indexOf(`&${name}=`) + 1
      return found === 0 && !text.startsWith(`${name}=`) ? undefined : plain(valueAt(found + name.length + 1))
    },
    field: (name) => {
      const start = last(name)
      return start === -1 ? undefined : decoded(valueAt(start))
    },
    has: (name) => last(name) !== -1
  }
}

/** Bytes of UTF-8 as text. */
const plain = (bytes: string | undefined): string | undefined =>
  bytes === undefined || !beyondAscii.test(bytes) ? bytes : Buffer.from(bytes, "latin1").toString("utf8")
const beyondAscii = /[^\u0000-\u007f]/

const decoded = (value: string | undefined): string | undefined => {
  const text = plain(value)
  if (text === undefined || !text.includes("%")) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
