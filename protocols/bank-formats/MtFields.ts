/**
 * Fields of MT940 and MT942 messages: cuts a file into messages and fields. Pure. A field begins at the start of a line
 * with one of the tags of the standard; any other line continues the field before it, so a text in :86: may begin with
 * `:12:`. Source: SWIFT Category 9; DK, Anlage 3.
 */
import { malformed, tooLarge } from "./BankFormatsError.ts"

export interface MtField {
  readonly tag: string
  /** Lines of the value without line ends. */
  readonly lines: ReadonlyArray<string>
}

/** Longest file. Unit: bytes. Reason: MT940 of a day with 100,000 bookings has 40 MB; it is in memory as a whole. */
export const maxMtFile = 128 * 1024 * 1024

/** Maximum number of lines of one field. Source: six lines of :86:; banks send up to 20. */
export const maxFieldLines = 100

/** Cuts a file into messages; each begins with :20:. Throws. */
export const messagesOf = (bytes: Uint8Array): ReadonlyArray<ReadonlyArray<MtField>> => {
  if (bytes.length > maxMtFile) throw tooLarge("maxMtFile")
  const messages: Array<Array<MtField>> = []
  let message: Array<MtField> | undefined
  let lines: Array<string> = []
  for (const line of decodeMt(bytes).split(/\r\n|\n|\r/)) {
    const [, tag, rest = ""] = fieldStart.exec(line.replace(blocks, "")) ?? []
    if (tag !== undefined) {
      lines = [rest]
      if (tag === "20") messages.push((message = []))
      if (message === undefined) throw malformed("the file does not begin with :20:")
      message.push({ tag, lines })
    } else if (line.startsWith("-") && (line === "-" || line === "-}")) {
      message = undefined
      lines = []
    } else if (message === undefined) {
      if (line.replace(blocks, "").trim() !== "" && line.trim() !== "\u001a")
        throw malformed("there is text outside a message")
    } else if (lines.push(line) > maxFieldLines) throw tooLarge("maxFieldLines")
  }
  if (messages.length === 0) throw malformed("there is no message")
  return messages
}

const fieldStart = /^:(20|21|25|28C?|60[FM]|61|86|62[FM]|6[45]|34F|13D?|90[CD]|NS):(.*)$/
/** SWIFT blocks in front of the first field. */
const blocks = /^(?:\{[123]:[^{}]*(?:\{[^{}]*\}[^{}]*)*\})*(?:\{4:)?/

/** Text of a file: UTF-8 when the bytes are valid UTF-8, else Windows-1252, which contains Latin-1. */
const decodeMt = (bytes: Uint8Array): string => {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder("windows-1252").decode(bytes)
  }
}

/** Values of :61:. `mark`: C, D, RC (reversed credit), RD (reversed debit), EC and ED (expected). */
export interface MtEntryLine {
  readonly valueDate: string
  readonly bookingDate: string | undefined
  readonly mark: "C" | "D" | "RC" | "RD" | "EC" | "ED"
  readonly amount: string
  readonly type: string
  readonly reference: string
  readonly bankReference: string | undefined
  readonly supplement: string
}

/** Value of :61:. Two-letter marks come first: `RC` is a reversal, while in `CR250,50` the R belongs to EUR. */
export const parseEntryLine = ({ lines }: MtField): MtEntryLine | undefined => {
  const [first = "", ...supplement] = lines
  const [, value, entry, mark, amount, type, references = ""] = entryLine.exec(first) ?? []
  if (value === undefined || amount === undefined || type === undefined) return undefined
  const cut = references.indexOf("//")
  const valueDate = mtDate(value)
  return {
    valueDate,
    bookingDate: entry === undefined ? undefined : nearest(valueDate, entry),
    mark: mark as MtEntryLine["mark"],
    amount,
    type,
    reference: cut < 0 ? references : references.slice(0, cut),
    bankReference: cut < 0 ? undefined : references.slice(cut + 2),
    supplement: supplement.join("\n")
  }
}

const entryLine = /^(\d{6})(\d{4})?(RC|RD|EC|ED|C|D)[A-Z]?(\d{1,15}(?:,\d{0,15})?)([NSF][A-Z0-9]{3})(.*)$/

/** `YYMMDD` of this century. */
export const mtDate = (text: string): string => `20${text.slice(0, 2)}-${text.slice(2, 4)}-${text.slice(4, 6)}`

/** `MMDD` in the year that brings it nearest to `day`: an entry of 2 January has a value date in December. */
const nearest = (day: string, monthAndDay: string): string => {
  const year = Number(day.slice(0, 4))
  const distance = (candidate: string) => Math.abs(Date.parse(candidate) - Date.parse(day))
  return [year, year - 1, year + 1]
    .map((one) => `${one}-${monthAndDay.slice(0, 2)}-${monthAndDay.slice(2, 4)}`)
    .reduce((best, one) => (distance(one) < distance(best) ? one : best))
}
