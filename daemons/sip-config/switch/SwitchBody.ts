/**
 * Reads fields of the switch's request body on demand. A body has up to 200 fields, of which five decide. Pure.
 *
 * The five base fields come first and are NOT encoded: their values may contain `&`, `+` and `%`. All other values are
 * percent-encoded (space as %20, plus as %2B). Names are not encoded and may repeat. For a base field the first
 * occurrence counts, for any other field the last one, so callers cannot override a field. Source: mod_xml_curl.c,
 * switch_event.c.
 *
 * URLSearchParams takes 3.0 times as long to read five fields of a call's body, and querystring 10.5 times (6.7 KB,
 * Node 24). Both decode the base fields too.
 */

/**
 * Longest body. Unit: bytes. Reason: real bodies have up to 7 KB; a call's variables may contain a media offer and
 * headers from the caller.
 */
export const maxBody = 64 * 1024

/**
 * Parts of a long body that are decoded first. Unit: bytes. Reason: the base fields are in the first 150 bytes, and
 * most deciding fields in the last 900. Decoding all 6 KB of a call takes as long as the whole response.
 */
const edges = { head: 256, tail: 1536 }

/** Longest value. Unit: encoded characters. Reason: three times the longest domain; no value of ours is longer. */
const maxValue = 768

/** Deciding fields besides the base fields, as they appear in a body. */
const fields = {
  action: "&action=",
  ip: "&ip=",
  sip_via_protocol: "&sip_via_protocol=",
  purpose: "&purpose=",
  user: "&user=",
  domain: "&domain=",
  group: "&group=",
  group_name: "&group_name=",
  "Menu-Name": "&Menu-Name=",
  "Hunt-Context": "&Hunt-Context=",
  "Hunt-Destination-Number": "&Hunt-Destination-Number=",
  "Hunt-Caller-ID-Number": "&Hunt-Caller-ID-Number=",
  "Hunt-Network-Addr": "&Hunt-Network-Addr=",
  "Hunt-Privacy-Hide-Number": "&Hunt-Privacy-Hide-Number=",
  variable_user_name: "&variable_user_name=",
  variable_domain_name: "&variable_domain_name="
} as const
export type FieldName = keyof typeof fields

const context = fields["Hunt-Context"]

/**
 * Fields that the switch writes before the context, in one block after all variables. They are searched from there, so
 * that each search passes few characters. Source: switch_caller_profile_event_set_data in switch_caller.c.
 */
const beforeContext: ReadonlySet<FieldName> = new Set([
  "Hunt-Caller-ID-Number",
  "Hunt-Network-Addr",
  "Hunt-Destination-Number"
])

const bases = { section: "&section=", tag_name: "&tag_name=", key_value: "&key_value=" } as const

/** Fields of one request body. A class, because creating an object of closures takes as long as the whole response. */
export class SwitchBody {
  readonly #bytes: Buffer
  /** Beginning and end of the body, one character per byte; both are the whole text of a short body. */
  readonly #head: string
  readonly #tail: string
  #text: string | undefined
  /** Position of the context in the end of the body; undefined: not searched yet. */
  #context: number | undefined

  constructor(bytes: Buffer) {
    this.#bytes = bytes
    const { length } = bytes
    if (length > edges.head + edges.tail) {
      this.#head = bytes.toString("latin1", 0, edges.head)
      this.#tail = bytes.toString("latin1", length - edges.tail)
    } else {
      this.#head = this.#tail = this.#text = bytes.toString("latin1")
    }
  }

  /** Base field, not encoded; undefined: missing, empty or too long. */
  base(name: keyof typeof bases): string | undefined {
    const mark = bases[name]
    const found = this.#head.indexOf(mark)
    // A value without an end in the head may continue after it.
    const end = found === -1 ? -1 : this.#head.indexOf("&", found + mark.length)
    const text = end === -1 ? this.#whole() : this.#head
    return plain(valueAt(text, text.indexOf(mark), mark))
  }

  /** Other field, decoded; undefined: missing, empty, too long or badly encoded. */
  field(name: FieldName): string | undefined {
    return decoded(this.raw(name))
  }

  /**
   * Other field, still encoded. Searches from the end, where most deciding fields are; a walk over all fields takes
   * three times as long.
   */
  raw(name: FieldName): string | undefined {
    const mark = fields[name]
    const found = this.#last(name, mark)
    if (found !== -1) return valueAt(this.#tail, found, mark)
    return valueAt(this.#whole(), this.#whole().lastIndexOf(mark), mark)
  }

  /** Whether a field is present, even if invalid. */
  has(name: FieldName): boolean {
    // `lastIndexOf` is faster here than `indexOf`, which first builds a table of the search text.
    return this.#whole().lastIndexOf(fields[name]) !== -1
  }

  /** Last position of a field in the end of the body; -1: not there. */
  #last(name: FieldName, mark: string): number {
    if (!beforeContext.has(name)) return this.#tail.lastIndexOf(mark)
    const end = (this.#context ??= this.#tail.lastIndexOf(context))
    const found = end === -1 ? -1 : this.#tail.lastIndexOf(mark, end)
    return found === -1 ? this.#tail.lastIndexOf(mark) : found
  }

  #whole(): string {
    return (this.#text ??= this.#bytes.toString("latin1"))
  }
}

/** Value after the mark at position `found`, up to the next field. */
const valueAt = (text: string, found: number, mark: string): string | undefined => {
  if (found === -1) return undefined
  const start = found + mark.length
  const next = text.indexOf("&", start)
  const end = next === -1 ? text.length : next
  return end === start || end - start > maxValue ? undefined : text.slice(start, end)
}

/** Decodes UTF-8 bytes. */
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
