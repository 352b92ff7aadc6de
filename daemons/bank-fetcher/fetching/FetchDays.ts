/** Ranges of days of a fetch. Pure. */

/** Whether the text is a day of the calendar: `2026-11-26`. */
export const isDay = (text: string): boolean => {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : undefined
  return time !== undefined && !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text)
}

/** What is wrong with a range of days; undefined: nothing. `today` in UTC. */
export const dayProblem = (
  { from, to }: { readonly from: string | undefined; readonly to: string | undefined },
  today: string
): { readonly day: "from" | "to"; readonly message: string } | undefined => {
  for (const [day, text] of [
    ["from", from],
    ["to", to]
  ] as const)
    if (text !== undefined && !isDay(text)) return { day, message: "must be a day such as 2026-11-26" }
  if (from === undefined) return to === undefined ? undefined : { day: "from", message: "is required" }
  if (from > today) return { day: "from", message: "must not be in the future" }
  return (to ?? today) < from ? { day: "to", message: "must not be before the first day" } : undefined
}
