/**
 * The parts of a message from its BODYSTRUCTURE, with the fields that distinguish files from text. Pure. Source: RFC
 * 3501 §7.4.2.
 */
import type { ValueCursor } from "./ValueCursor.ts"

export interface BodyPart {
  /** Content type in lower case, `text/plain`. */
  readonly type: string
  /** `attachment` or `inline`, in lower case. */
  readonly disposition: string | undefined
  /** Whether it has a file name. */
  readonly named: boolean
  /** Whether it has a Content-ID. */
  readonly identified: boolean
  /** Parts of a multipart. An attached message counts as one part without sub-parts. */
  readonly parts: ReadonlyArray<BodyPart>
}

/** Reads the body in the list that `values` has entered, and leaves that list. `values` limits the nesting. */
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
  // Description, encoding and size.
  pass(values, 3)
  const { disposition, file } = type.startsWith("text/") ? ofText(values) : ofOther(values, type)
  return { type, disposition, named: named || file, identified, parts: [] }
}

interface Disposition {
  readonly disposition: string | undefined
  /** Whether the disposition has a file name. */
  readonly file: boolean
}

const none: Disposition = { disposition: undefined, file: false }

/**
 * Reads the disposition after the MD5. For an attached message its envelope, body structure and line count precede the
 * MD5.
 */
const ofOther = (values: ValueCursor, type: string): Disposition => {
  pass(values, type === "message/rfc822" ? 4 : 1)
  return readDisposition(values)
}

/**
 * Reads the disposition after the line count and the MD5. Some servers omit the line count: then every value comes one
 * position earlier, and the value after the disposition is not a list.
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

/**
 * Whether the next value, a parameter list, has this parameter: whole, in several pieces, or encoded (RFC 2231 §3, §4).
 */
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

/** Suffix of a parameter name: nothing, or the number of a piece and a mark for encoding. */
const continued = /^(?:\*(?:\d+\*?)?)?$/

const pass = (values: ValueCursor, count: number): void => {
  for (let at = 0; at < count; at += 1) values.skip()
}

const small = (word: string | undefined): string => (word ?? "").toLowerCase()
