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

/** Fields that decide, all but the base fields, as they stand in a body. */
const fields = {
  action: "&action=",
  purpose: "&purpose=",
  user: "&user=",
  domain: "&domain=",
  group: "&group=",
  group_name: "&group_name=",
  "Menu-Name": "&Menu-Name=",
  "Hunt-Context": "&Hunt-Context=",
  "Hunt-Destination-Number": "&Hunt-Destination-Number=",
  "Hunt-Caller-ID-Number": "&Hunt-Caller-ID-Number=",
  variable_user_name: "&variable_user_name=",
  variable_domain_name: "&variable_domain_name="
} as const
export type FieldName = keyof typeof fields

const bases = { section: "&section=", tag_name: "&tag_name=", key_value: "&key_value=" } as const

/** A class, since an object of functions costs as much to make as all that is asked of it. */
export class SwitchBody {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  /** A base field as it was posted; undefined: absent, empty or too long. */
  base(name: keyof typeof bases): string | undefined {
    const found = this.#text.indexOf(bases[name])
    return found === -1 ? undefined : plain(this.#value(found + bases[name].length))
  }

  /** Another field, decoded; undefined: absent, empty, too long or badly encoded. */
  field(name: FieldName): string | undefined {
    return decoded(this.raw(name))
  }

  /** The same as it was posted. From the end, as most that decide stand there: a walk over all fields of a call takes three times as long. */
  raw(name: FieldName): string | undefined {
    const found = this.#text.lastIndexOf(fields[name])
    return found === -1 ? undefined : this.#value(found + fields[name].length)
  }

  /** Whether a field was posted, however badly. */
  has(name: FieldName): boolean {
    // From the end here, too: it needs no table of the text that is looked for, which takes longer to make than to look.
    return this.#text.lastIndexOf(fields[name]) !== -1
  }

  #value(start: number): string | undefined {
    const next = this.#text.indexOf("&", start)
    const end = next === -1 ? this.#text.length : next
    return end === start || end - start > maxValue ? undefined : this.#text.slice(start, end)
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
