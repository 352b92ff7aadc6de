/** Days of the user's time zone as times of the API. */
import { timeAt } from "../../lib/TimeZone.ts"

/** Start of a day as ISO 8601 time. `day`: `2026-11-28`; undefined for other texts. */
export const startOf = (day: string): string | undefined => timeOf(day, 0)

/** End of a day, which is the start of the next one. */
export const endOf = (day: string): string | undefined => timeOf(day, 1)

const timeOf = (day: string, later: number): string | undefined => {
  const found = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day)
  if (found === null) return undefined
  const start = new Date(Date.UTC(Number(found[1]), Number(found[2]) - 1, Number(found[3]) + later))
  const time = Number.isNaN(start.getTime()) ? Number.NaN : timeAt(start.toISOString().slice(0, 16))
  return Number.isNaN(time) ? undefined : new Date(time).toISOString()
}
