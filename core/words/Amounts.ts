/** Sizes and durations in texts for people: mails, notifications, commands. Pure. */
import { formatLocaleOf } from "./ChooseLanguage.ts"
import type { LanguageCode } from "./TextMemory.ts"

/** A number with one decimal, such as "1.5". */
const decimal = (value: number, language: LanguageCode): string =>
  new Intl.NumberFormat(formatLocaleOf(language), { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(value)

const units = ["B", "kB", "MB", "GB", "TB"] as const

/** A size such as "1.5 GB". `count`: bytes. */
export const sizeText = (count: number, language: LanguageCode = "en"): string => {
  let at = 0
  let value = count
  while (value >= 1000 && at < units.length - 1) {
    value /= 1000
    at++
  }
  return `${at === 0 ? value : decimal(value, language)} ${units[at]}`
}

/** A duration such as "2 h 5 min", "1 min 3 s" or "0.8 s". Unit of the argument: milliseconds. */
export const durationText = (milliseconds: number, language: LanguageCode = "en"): string => {
  const seconds = Math.round(milliseconds / 1000)
  if (seconds < 60) return `${decimal(milliseconds / 1000, language)} s`
  const minutes = Math.floor(seconds / 60)
  return minutes < 60 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
