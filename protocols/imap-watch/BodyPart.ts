/** The parts of a message by its BODYSTRUCTURE, as far as it tells files from text. Pure. Source: RFC 3501 §7.4.2. */
import type { ValueCursor } from "./ValueCursor.ts"

export interface BodyPart {
  /** `text/plain`, in small letters. */
  readonly type: string
  /** `attachment`, `inline`, in small letters. */
  readonly disposition: string | undefined
  /** It has the name of a file. */
  readonly named: boolean
  /** It has a Content-ID. */
  readonly identified: boolean
  /** Of a multipart; a message in a message is one part. */
  readonly parts: ReadonlyArray<BodyPart>
}

/** Reads the list that `values` has gone into, and leaves it. How deep that goes is bounded by `values`. */
export const readBody = (values: ValueCursor): BodyPart => {
  const body = values.atList ? multipart(values) : single(values)
  values.leave()
  return body
}

const multipart = (values: ValueCursor): BodyPart => {
  const parts: Array<BodyPart> = []
  while (values.atList && values.enter()) parts.push(readBody(values))
  return { type: `multipart/${small(values.text())}`, disposition: undefined, named: false, identified: false, parts }
}

const single = (values: ValueCursor): BodyPart => {
  const type = `${small(values.text())}/${small(values.text())}`
  const named = has(values, "name")
  const identified = !values.atNil
  values.skip()
  // Description, encoding, size.
  pass(values, 3)
  const { disposition, file } = type.startsWith("text/") ? ofText(values) : ofOther(values, type)
  return { type, disposition, named: named || file, identified, parts: [] }
}

interface Disposition {
  readonly disposition: string | undefined
  /** With the name of a file. */
  readonly file: boolean
}

const none: Disposition = { disposition: undefined, file: false }

/** After the MD5; of a message also after its envelope, its parts and its lines. */
const ofOther = (values: ValueCursor, type: string): Disposition => {
  pass(values, type === "message/rfc822" ? 4 : 1)
  return readDisposition(values)
}

/**
 * After the number of lines and the MD5. Some servers leave out the number: then there is one value less, and the next
 * one is no list.
 */
const ofText = (values: ValueCursor): Disposition => {
  pass(values, 1)
  const early = values.atList ? readDisposition(values) : undefined
  if (early === undefined) values.skip()
  const late = values.atList ? readDisposition(values) : undefined
  if (late !== undefined) return late
  let left = 0
  for (; values.more; left += 1) values.skip()
  return early !== undefined && left === 2 ? early : none
}

const readDisposition = (values: ValueCursor): Disposition => {
  if (!values.enter()) return none
  const disposition = values.more ? small(values.text()) : undefined
  const file = has(values, "filename")
  values.leave()
  return { disposition, file }
}

/** Whether the parameters that are next have this one, in one piece, in several or encoded (RFC 2231 §3, §4). */
const has = (values: ValueCursor, name: string): boolean => {
  if (!values.enter()) return false
  let found = false
  for (; values.more; values.skip()) {
    const said = small(values.text())
    found ||= said.startsWith(name) && continued.test(said.slice(name.length))
  }
  values.leave()
  return found
}

/** What may stand behind the name of a parameter: nothing, or which piece of it this is, and that it is encoded. */
const continued = /^(?:\*(?:\d+\*?)?)?$/

const pass = (values: ValueCursor, count: number): void => {
  for (let at = 0; at < count; at += 1) values.skip()
}

const small = (word: string | undefined): string => (word ?? "").toLowerCase()
