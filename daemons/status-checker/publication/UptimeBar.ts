/** Draws 90 days as a line of characters. Pure. */
import type { DayFigures } from "./Uptime.ts"
import { worse } from "../status/Vocabulary.ts"

/** Days per mark. Unit: days. Reason: the row fits a terminal of about eighty columns. */
const inOne = 3

const marks = {
  operational: "▇",
  degraded_performance: "▅",
  partial_outage: "▃",
  major_outage: "▁",
  under_maintenance: "~",
  unknown: "·"
} as const

/** Oldest first; each mark shows the worst measured day of its days. */
export const uptimeBar = (days: ReadonlyArray<Pick<DayFigures, "status">>): string =>
  Array.from({ length: Math.ceil(days.length / inOne) }, (_, index) => {
    const known = days
      .slice(index * inOne, (index + 1) * inOne)
      .flatMap(({ status }) => (status === "unknown" ? [] : [status]))
    return marks[known.length === 0 ? "unknown" : known.reduce(worse)]
  }).join("")
