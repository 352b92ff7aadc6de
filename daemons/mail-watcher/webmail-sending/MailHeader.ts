/** The header block of a composed mail, as far as sending touches it. Pure, on bytes. Source: RFC 5322 §2.2. */

/** Longest header block that is looked at. Unit: bytes. */
export const maxHeaderBlock = 256 * 1024

/** Where the body begins; all of it is header when there is no empty line. */
const bodyStart = (raw: Buffer): number => {
  const found = raw.indexOf("\r\n\r\n")
  return found < 0 ? raw.length : found + 2
}

/** The header fields with their folded lines, as bytes in latin1. */
const fieldsOf = (block: string): ReadonlyArray<string> => block.match(/[^\r\n][^\n]*\n(?:[ \t][^\n]*\n)*/g) ?? []

const nameOf = (field: string): string =>
  field
    .slice(0, Math.max(0, field.indexOf(":")))
    .trim()
    .toLowerCase()

/** The mail without its fields of these names (lower case), and with these lines before all others. */
export const replaceFields = (raw: Buffer, names: ReadonlyArray<string>, lines: ReadonlyArray<string> = []): Buffer => {
  const start = bodyStart(raw)
  const kept = fieldsOf(raw.subarray(0, start).toString("latin1")).filter((field) => !names.includes(nameOf(field)))
  return Buffer.concat([
    Buffer.from(lines.map((line) => `${line}\r\n`).join("") + kept.join(""), "latin1"),
    raw.subarray(start)
  ])
}

/** Values of a field (lower case), unfolded, in order. */
export const valuesOf = (raw: Buffer, name: string): ReadonlyArray<string> => {
  const block = raw.subarray(0, Math.min(bodyStart(raw), maxHeaderBlock)).toString("utf8")
  return fieldsOf(block.endsWith("\n") ? block : `${block}\r\n`)
    .filter((field) => nameOf(field) === name)
    .map((field) =>
      field
        .slice(field.indexOf(":") + 1)
        .replace(/\r?\n[ \t]/g, " ")
        .trim()
    )
}

/** A date as mails have it. Source: RFC 5322 §3.3. */
export const mailDate = (date: Date): string => date.toUTCString().replace("GMT", "+0000")
