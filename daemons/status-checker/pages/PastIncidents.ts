/** Incidents that are over, by the day on which they began; the quiet between them said once. Pure. */
import { h } from "preact"
import { historyDays, type Incident, type Snapshot } from "../Model.ts"
import { incident } from "./IncidentParts.ts"
import type { Language } from "./Language.ts"
import * as Times from "./Times.ts"
import { words } from "./Words.ts"

/** Unit: milliseconds. */
const day = 86_400_000

/** Incidents on the page. Reason: more are read page by page; some hundred kilobytes else. */
export const maxPast = 30

/** A day with incidents, or days in a row without. Days as `2026-01-31`, the newest first. */
export type Stretch =
  | { readonly day: string; readonly incidents: ReadonlyArray<Incident> }
  | { readonly from: string; readonly until: string; readonly incidents: readonly [] }

const dateOf = (time: number): string => new Date(time).toISOString().slice(0, 10)
const after = (date: string, days: number): string => dateOf(Date.parse(date) + days * day)

/** Of incidents that are over and began within the days that are kept, the newest first. */
export const stretches = (incidents: ReadonlyArray<Incident>, at: string): ReadonlyArray<Stretch> => {
  const today = dateOf(Date.parse(at))
  const first = after(today, 1 - historyDays)
  const byDay = Map.groupBy(incidents, ({ created_at }) => dateOf(Date.parse(created_at)))
  const dates = Array.from(byDay.keys()).filter((date) => date >= first && date <= today).toSorted().toReversed()
  const quiet = (from: string, until: string): ReadonlyArray<Stretch> => from > until ? [] : [{ from, until, incidents: [] }]
  return [
    ...dates.flatMap((date, index) => [...quiet(after(date, 1), index === 0 ? today : after(dates[index - 1]!, -1)), { day: date, incidents: byDay.get(date)! }]),
    ...quiet(first, dates.length === 0 ? today : after(dates.at(-1)!, -1))
  ]
}

export const pastIncidents = ({ at, components, incidents }: Snapshot, language: Language) => {
  const t = words[language]
  const from = Date.parse(after(dateOf(Date.parse(at)), 1 - historyDays))
  const over = incidents.filter(({ created_at, status }) => status === "resolved" && Date.parse(created_at) >= from && Date.parse(created_at) <= Date.parse(at))
  const shown = over.slice(0, maxPast)
  // Beyond what is shown nothing is said of quiet days.
  const found = stretches(shown, at).slice(0, over.length > shown.length ? -1 : undefined)
  return h("section", { class: "past", "aria-labelledby": "past" },
    h("h2", { id: "past" }, t.past),
    over.length === 0
      ? h("p", { class: "quiet" }, t.quietAll(historyDays))
      : found.map((one) =>
        "day" in one
          ? h("section", null, h("h3", null, Times.date(one.day, language)), ...one.incidents.map((each) => incident(each, components, { language, heading: "h4", folded: true })))
          : h("p", { class: "quiet" }, `${Times.days(one.from, one.until, language)}: ${t.quiet}`)),
    h("p", null, h("a", { href: `/history?lang=${language}` }, t.allIncidents)))
}
