/** Rules for single values that all formats share. Pure. */
import { failure } from "./BankFormatsError.ts"

/** A reference, or undefined when it says that there is none. */
export const reference = (text: string | undefined): string | undefined => {
  const trimmed = text?.trim() ?? ""
  return /^(?:NOTPROVIDED|NOT PROVIDED|NONREF|KREF\+)?$/i.test(trimmed) ? undefined : trimmed
}

/** The day of a date or of a time in ISO form, without its zone: banks mean their own calendar. Throws `BadDate`. */
export const day = (text: string): string => {
  if (text === lastDay) return text
  const [, found] = /^(\d{4}-\d{2}-\d{2})(?:$|[TZ+-])/.exec(text) ?? []
  if (found === undefined || !isDay(found)) throw failure({ _tag: "BadDate" })
  if (found === text) lastDay = text
  return found
}

/** The valid day that was asked for last: most bookings of a file have the same. */
let lastDay = ""

/** Whether `YYYY-MM-DD` is a day of the calendar. */
export const isDay = (text: string): boolean => {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const [year, month, date] = [Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(text.slice(8))]
  if (month < 1 || month > 12 || date < 1) return false
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return date <= (month === 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31)
}

/** Whether the text has the form of an IBAN and its check digits are right. Source: ISO 13616, ISO 7064. */
export const isIban = (text: string): boolean => {
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(text)) return false
  let rest = 0
  for (const character of text.slice(4) + text.slice(0, 4)) {
    const value = Number.parseInt(character, 36)
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97
  }
  return rest === 1
}

/** Longest line of unstructured remittance in camt. Unit: characters. Source: ISO 20022, Max140Text. */
const fullLine = 140

/** Lines joined: without a blank behind a full line, which the bank cut anywhere, else with a blank. */
export const joinLines = (lines: ReadonlyArray<string>): string =>
  lines.reduce((text, line, at) => {
    if (at === 0) return line
    return (lines[at - 1] ?? "").length === fullLine ? text + line : `${text} ${line}`
  }, "")

/** GVC of a code such as `NTRF+166+9310+00931`, which issuer DK (formerly ZKA) defines. */
export const gvcOf = (code: string): { readonly swift?: string; readonly gvc?: string } => {
  const [, swift, gvc] = /^(?:([NSF][A-Z0-9]{3})\+)?(\d{3})(?:\+|$)/.exec(code) ?? []
  return { ...(swift === undefined ? {} : { swift }), ...(gvc === undefined ? {} : { gvc }) }
}

/** The object without undefined properties. */
export const defined = <A extends object>(
  value: A
): { [K in keyof A as undefined extends A[K] ? never : K]: A[K] } & {
  [K in keyof A as undefined extends A[K] ? K : never]?: Exclude<A[K], undefined>
} => {
  // A loop, because Object.entries is a third of the time of a large file.
  const kept: Partial<A> = {}
  for (const name in value) if (value[name] !== undefined) kept[name] = value[name]
  return kept as never
}
