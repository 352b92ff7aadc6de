/**
 * What the switch posts, read field by field as it is needed: a body has up to 200 fields, of which five decide. Pure.
 *
 * The five base fields come first and are NOT encoded: a value may hold `&`, `+` and `%` as they are. All others are
 * percent-encoded (a space as %20, a plus as %2B, so a plus is a plus), their names are not, and one may come several
 * times. So a base field is the first of its name, any other one the last, which nothing that a caller says can come
 * behind. Source: mod_xml_curl.c, switch_event.c.
 */
/**
 * Longest body. Unit: bytes. Reason: real ones have up to 7 KB; a call's variables may hold an offer of media and
 * headers of a caller.
 */
export const maxBody = 64 * 1024

/**
 * How much of a longer body is read before all of it is. Unit: bytes, of its beginning and of its end. Reason: the base
 * fields are in the first 150, and what decides most look-ups is in the last 900; to make a text of a call's 6 KB takes
 * as long as all that is asked of it.
 */
const edges = { head: 256, tail: 1536 }

/**
 * Longest value that is read. Unit: characters as posted. Reason: three times the longest domain; nothing of ours is
 * longer.
 */
const maxValue = 768

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
  readonly #bytes: Buffer
  /** Each byte a character; all three the same where the body is short. */
  readonly #head: string
  readonly #tail: string
  #text: string | undefined

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

  /** A base field as it was posted; undefined: absent, empty or too long. */
  base(name: keyof typeof bases): string | undefined {
    const mark = bases[name]
    const found = this.#head.indexOf(mark)
    // One that ends with the head may go on behind it.
    const end = found === -1 ? -1 : this.#head.indexOf("&", found + mark.length)
    const text = end === -1 ? this.#whole() : this.#head
    return plain(valueAt(text, text.indexOf(mark), mark))
  }

  /** Another field, decoded; undefined: absent, empty, too long or badly encoded. */
  field(name: FieldName): string | undefined {
    return decoded(this.raw(name))
  }

  /**
   * The same as it was posted. From the end, as most that decide stand there: a walk over all fields of a call takes
   * three times as long.
   */
  raw(name: FieldName): string | undefined {
    const mark = fields[name]
    const found = this.#tail.lastIndexOf(mark)
    if (found !== -1) return valueAt(this.#tail, found, mark)
    return valueAt(this.#whole(), this.#whole().lastIndexOf(mark), mark)
  }

  /** Whether a field was posted, however badly. */
  has(name: FieldName): boolean {
    // From the end here, too: it needs no table of the text that is looked for, which takes longer to make than to
    // look.
    return this.#whole().lastIndexOf(fields[name]) !== -1
  }

  #whole(): string {
    return (this.#text ??= this.#bytes.toString("latin1"))
  }
}

/** What stands behind the mark that was found at `found`, to the next field. */
const valueAt = (text: string, found: number, mark: string): string | undefined => {
  if (found === -1) return undefined
  const start = found + mark.length
  const next = text.indexOf("&", start)
  const end = next === -1 ? text.length : next
  return end === start || end - start > maxValue ? undefined : text.slice(start, end)
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
