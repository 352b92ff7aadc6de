/** 90 days as a line of marks. Pure. */
import type { DayFigures } from "./Uptime.ts"
import { worse } from "../status/Vocabulary.ts"

/**
 * Days in one mark. Unit: days. Reason: thirty marks, and the rest of the row, on a terminal of eighty columns and a
 * few.
 */
const inOne = 3

const marks = {
  operational: "▇",
  degraded_performance: "▅",
  partial_outage: "▃",
  major_outage: "▁",
  under_maintenance: "~",
  unknown: "·"
} as const

/** Oldest first; each mark says the worst of its days that were measured. */
export const uptimeBar = (days: ReadonlyArray<Pick<DayFigures, "status">>): string =>
  Array.from({ length: Math.ceil(days.length / inOne) }, (_, index) => {
    const known = days
      .slice(index * inOne, (index + 1) * inOne)
      .flatMap(({ status }) => (status === "unknown" ? [] : [status]))
    return marks[known.length === 0 ? "unknown" : known.reduce(worse)]
  }).join("")
