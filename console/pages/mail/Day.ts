/** Short date of a mail: the time for today, else the day, with the year when it is not the current one. */
import { language } from "../../lib/Language.ts"

export const day = (at: string, now: Date = new Date()): string => {
  const date = new Date(at)
  const options: Intl.DateTimeFormatOptions =
    date.toDateString() === now.toDateString()
      ? { hour: "2-digit", minute: "2-digit" }
      : date.getFullYear() === now.getFullYear()
        ? { day: "numeric", month: "short" }
        : { day: "2-digit", month: "2-digit", year: "2-digit" }
  return new Intl.DateTimeFormat(language.value === "de" ? "de-DE" : "en-GB", options).format(date)
}
