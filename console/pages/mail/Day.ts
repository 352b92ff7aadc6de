/** Short date of a mail: the time for today, else the day, with the year when it is not the current one. */
import { dateTime } from "../../lib/Format.ts"
import { clockDay } from "../../lib/TimeZone.ts"

export const day = (at: string, now: Date = new Date()): string => {
  const [of, today] = [clockDay(at), clockDay(now.getTime())]
  const options: Intl.DateTimeFormatOptions =
    of === today
      ? { hour: "2-digit", minute: "2-digit" }
      : of.slice(0, 4) === today.slice(0, 4)
        ? { day: "numeric", month: "short" }
        : { day: "2-digit", month: "2-digit", year: "2-digit" }
  return dateTime(options).format(new Date(at))
}
