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

/** Where the fields of a call stand that decide. Unit: characters from the end. Reason: the last 1.3 KB of a real body of 7 KB. */
const nearEnd = 2048

/** Fields that decide, all but the base fields. */
const names = [
  "action",
  "purpose",
  "user",
  "domain",
  "group",
  "group_name",
  "Menu-Name",
  "Hunt-Context",
  "Hunt-Destination-Number",
  "Hunt-Caller-ID-Number",
  "variable_user_name",
  "variable_domain_name"
] as const
export type FieldName = typeof names[number]

interface Wanted {
  readonly name: string
  readonly place: number
}

const placeOf = Object.fromEntries(names.map((name, place) => [name, place])) as Readonly<Record<FieldName, number>>

/** By the code of their first letter: most fields of a body are told from these by it. */
const wantedBy: ReadonlyArray<ReadonlyArray<Wanted>> = Array.from({ length: 128 }, (_, code) =>
  names.flatMap((name, place) => name.charCodeAt(0) === code ? [{ name, place }] : []))

const equalsSign = 0x3d

const nowhere: ReadonlyArray<number> = names.map(() => -1)

const bases = { section: "&section=", tag_name: "&tag_name=", key_value: "&key_value=" } as const

/** A class, since an object of functions costs as much to make as all that is asked of it. */
export class SwitchBody {
  readonly #text: string
  /** Where the value of each field begins, by its place in `names`; -1: not seen. */
  readonly #starts = nowhere.slice()
  /** From where on it was looked at. */
  #walked: number

  constructor(text: string) {
    this.#text = text
    this.#walked = text.length
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

  /** The same as it was posted. */
  raw(name: FieldName): string | undefined {
    const start = this.#start(name)
    return start === -1 ? undefined : this.#value(start)
  }

  /** Whether a field was posted, however badly. */
  has(name: FieldName): boolean {
    return this.#start(name) !== -1
  }

  /** Near the end first, as most stand there: one that is seen there is the last of its name. */
  #start(name: FieldName): number {
    const place = placeOf[name]
    if (this.#walked === this.#text.length) this.#walk(this.#text.length - nearEnd)
    if (this.#starts[place] === -1) this.#walk(0)
    return this.#starts[place]!
  }

  /** Notes the fields from there to where it was looked at before: one walk over all costs less than a search for each. */
  #walk(from: number): void {
    const [text, end] = [this.#text, this.#walked]
    this.#walked = Math.max(0, from)
    const seen = end === text.length ? undefined : this.#starts.slice()
    for (let at = text.indexOf("&", this.#walked); at !== -1 && at < end; at = text.indexOf("&", at + 1)) {
      const wanted = wantedBy[text.charCodeAt(at + 1)]
      if (wanted === undefined) continue
      for (const { name, place } of wanted) {
        const equals = at + 1 + name.length
        // Where the name would end is looked at first, as it costs next to nothing.
        if (text.charCodeAt(equals) !== equalsSign || !text.startsWith(name, at + 1)) continue
        if (seen === undefined || seen[place] === -1) this.#starts[place] = equals + 1
      }
    }
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
