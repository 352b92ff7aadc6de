/** The parts of a message by its BODYSTRUCTURE, as far as it tells files from text. Pure. Source: RFC 3501 §7.4.2. */
import { isList, isNil, type Value, wordOf } from "./Values.ts"

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

/** Whatever the list is; its depth has been bounded by who read it. */
export const readBody = (node: ReadonlyArray<Value>): BodyPart => isList(node[0]) ? multipart(node) : single(node)

const multipart = (node: ReadonlyArray<Value>): BodyPart => {
  const parts: Array<BodyPart> = []
  let at = 0
  for (let part = node[at]; isList(part); part = node[++at]) parts.push(readBody(part))
  return { type: `multipart/${small(node[at])}`, disposition: undefined, named: false, identified: false, parts }
}

const single = (node: ReadonlyArray<Value>): BodyPart => {
  const type = `${small(node[0])}/${small(node[1])}`
  const said = node[dispositionAt(type, node)]
  const [disposition, parameters] = isList(said) ? said : []
  return {
    type,
    disposition: disposition === undefined ? undefined : small(disposition),
    named: has(node[2], "name") || has(parameters, "filename"),
    identified: !isNil(node[3]),
    parts: []
  }
}

/** After the seven fields of each, what a message or a text has besides, and the MD5. */
const dispositionAt = (type: string, node: ReadonlyArray<Value>): number => {
  if (type === "message/rfc822") return 11
  if (!type.startsWith("text/")) return 8
  // Some servers leave out the number of lines.
  return node.length === 11 && isList(node[8]) && !isList(node[9]) ? 8 : 9
}

/** Whether the parameters have this one, in one piece, in several or encoded (RFC 2231 §3, §4). */
const has = (parameters: Value | undefined, name: string): boolean =>
  isList(parameters) && parameters.some((value, index) => index % 2 === 0 && small(value).replace(/\*(?:\d+\*?)?$/, "") === name)

const small = (value: Value | undefined): string => isNil(value) ? "" : (wordOf(value) ?? "").toLowerCase()
