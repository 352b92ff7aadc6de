/** Amounts in sentences of a language. Pure. */
import { formatLocales, type Language } from "#core/words/Language.ts"

const mebibyte = 1024 * 1024

/** Size from which GiB are shown. Unit: MiB. Reason: five digits are hard to read. */
const largest = 10_240

export const amounts = (language: Language) => {
  const hourWords = language === "en" ? (["hour", "hours"] as const) : (["Stunde", "Stunden"] as const)
  const mebibytes = (bytes: number): string => `${Math.round(bytes / mebibyte)} MiB`
  return {
    /** With exactly this many decimals. */
    fixed: (value: number, digits: number): string =>
      new Intl.NumberFormat(formatLocales[language], {
        minimumFractionDigits: digits,
        maximumFractionDigits: digits,
        useGrouping: false
      }).format(value),
    mebibytes,
    /** MiB or GiB. */
    size: (bytes: number): string =>
      bytes >= largest * mebibyte ? `${Math.round(bytes / (1024 * mebibyte))} GiB` : mebibytes(bytes),
    hours: (count: number): string => `${count} ${hourWords[count === 1 ? 0 : 1]}`
  }
}
