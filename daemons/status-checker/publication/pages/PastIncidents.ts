/** Resolved incidents by the day on which they began; consecutive days without incidents are joined. Pure. */
import { h } from "preact"
import { historyDays, type Incident, type Snapshot } from "../../status/Model.ts"
import { incident } from "./IncidentParts.ts"
import type { LanguageCode } from "#core/words/TextMemory.ts"
import * as Times from "./Times.ts"
import { words } from "./Words.ts"

/** Unit: milliseconds. */
const day = 86_400_000

/** Maximum number of incidents on the page. Reason: limits its size; the history pages show all. */
export const maxPast = 30

/** Day with resolved incidents, or a range of days without incidents; days as `2026-01-31`. */
export type Stretch =
  | { readonly day: string; readonly incidents: ReadonlyArray<Incident> }
  | { readonly from: string; readonly until: string }

const dateOf = (time: number): string => new Date(time).toISOString().slice(0, 10)

/** Days of the history, newest first. A day is quiet when no incident, open or resolved, overlaps it. */
export const stretches = (incidents: ReadonlyArray<Incident>, at: string): ReadonlyArray<Stretch> => {
  const lasting = incidents.map(({ created_at, resolved_at }) => ({
    from: dateOf(Date.parse(created_at)),
    until: dateOf(Date.parse(resolved_at ?? at))
  }))
  const begun = Map.groupBy(
    incidents.filter(({ status }) => status === "resolved"),
    ({ created_at }) => dateOf(Date.parse(created_at))
  )
  const found: Array<Stretch> = []
  for (let ago = 0; ago < historyDays; ago++) {
    const date = dateOf(Date.parse(at) - ago * day)
    const over = begun.get(date)
    const before = found.at(-1)
    if (over !== undefined) found.push({ day: date, incidents: over })
    else if (lasting.some(({ from, until }) => from <= date && date <= until)) continue
    // Adjacent by construction: a skipped day belongs to an incident that began on a listed day or is open.
    else if (before !== undefined && "from" in before) found[found.length - 1] = { ...before, from: date }
    else found.push({ from: date, until: date })
  }
  return found
}

/** Whether one quiet range covers the whole history. */
const isQuiet = ([first, ...more]: ReadonlyArray<Stretch>, at: string): boolean =>
  first !== undefined &&
  more.length === 0 &&
  "from" in first &&
  first.until === dateOf(Date.parse(at)) &&
  first.from === dateOf(Date.parse(at) - (historyDays - 1) * day)

/** Newest stretches with at most `maxPast` incidents. */
const bounded = (found: ReadonlyArray<Stretch>): ReadonlyArray<Stretch> => {
  let room = maxPast
  const kept: Array<Stretch> = []
  for (const one of found) {
    if (room <= 0) break
    if ("day" in one) {
      kept.push({ ...one, incidents: one.incidents.slice(0, room) })
      room -= one.incidents.length
    } else kept.push(one)
  }
  return kept
}

export const pastIncidents = ({ at, components, incidents }: Snapshot, language: LanguageCode) => {
  const t = words(language)
  const found = stretches(incidents, at)
  return h(
    "section",
    { class: "past", "aria-labelledby": "past" },
    h("h2", { id: "past" }, t.past),
    isQuiet(found, at)
      ? h("p", { class: "quiet" }, t.quietAll({ days: historyDays }))
      : bounded(found).map((one) =>
          "day" in one
            ? h(
                "section",
                null,
                h("h3", null, Times.date(one.day, language)),
                ...one.incidents.map((each) => incident(each, components, { language, heading: "h4", folded: true }))
              )
            : h("p", { class: "quiet" }, `${Times.days(one.from, one.until, language)}: ${t.quiet}`)
        ),
    h("p", null, h("a", { href: `/history?lang=${language}` }, t.allIncidents))
  )
}
