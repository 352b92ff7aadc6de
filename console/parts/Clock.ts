/** Time of day with seconds, for lists that show the date elsewhere. */
import { language } from "../lib/Language.ts"

const formats = {
  de: new Intl.DateTimeFormat("de-DE", { timeStyle: "medium" }),
  en: new Intl.DateTimeFormat("en-GB", { timeStyle: "medium" })
} as const

/** `at`: ISO 8601, or epoch milliseconds. */
export const clock = (at: string | number): string => formats[language.value].format(new Date(at))
