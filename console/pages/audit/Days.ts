/** Days of the user's time zone as times of the API. Pure, apart from the browser's time zone. */

/** Start of a day as ISO 8601 time. `day`: `2026-11-28`; undefined for other texts. */
export const startOf = (day: string): string | undefined => timeOf(day, 0)

/** End of a day, which is the start of the next one. */
export const endOf = (day: string): string | undefined => timeOf(day, 1)

const timeOf = (day: string, later: number): string | undefined => {
  const found = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day)
  if (found === null) return undefined
  const time = new Date(Number(found[1]), Number(found[2]) - 1, Number(found[3]) + later)
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString()
}
