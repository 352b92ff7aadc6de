/** Components by group, with their status and history. Pure. */
import { type ComponentChildren, h } from "preact"
import { type ShownComponent, historyDays, responseHours, type Snapshot } from "../../status/Model.ts"
import { figures, type Figures } from "../Uptime.ts"
import { overall, type ShownStatus } from "../../status/Vocabulary.ts"
import { bars, type Run, runsOf, sampleBar } from "./Bars.ts"
import { stateLine } from "./Icons.ts"
import type { LanguageCode } from "#core/words/TextMemory.ts"
import { nameOf } from "./Localised.ts"
import { isWatched } from "../Staleness.ts"
import { isFirst, isStale } from "./PageStatus.ts"
import { responseChart } from "./ResponseChart.ts"
import * as Times from "./Times.ts"
import { words } from "./Words.ts"

/**
 * Most table rows on the page. Reason: keeps a page of a hundred troubled components within a few hundred kilobytes.
 */
const maxRows = 600

/** Most charts of response times. Reason: a chart takes up to 2 kB, and the API has those of further components. */
const maxCharts = 100

/** Table rows that every component gets. */
const leastRows = 6

export const componentList = (snapshot: Snapshot, language: LanguageCode) => {
  const t = words(language)
  if (snapshot.components.length === 0) return null
  const groups = Map.groupBy(snapshot.components, ({ component: { group } }) => group)
  const grouped = Array.from(groups).filter((one): one is [string, Array<ShownComponent>] => one[0] !== null)
  const rest = groups.get(null) ?? []
  const rows = Math.max(leastRows, Math.floor(maxRows / snapshot.components.length))
  const charted = new Set(snapshot.components.filter(({ times }) => times.length > 0).slice(0, maxCharts))
  const listed = (pictures: ReadonlyArray<ShownComponent>, heading: "h3" | "h4") =>
    h(
      "ul",
      { class: "components" },
      ...pictures.map((picture) =>
        component(picture, snapshot, { language, heading, rows, charted: charted.has(picture) })
      )
    )
  return h(
    "section",
    { class: "systems", "aria-labelledby": "systems" },
    h("h2", { id: "systems" }, t.systems),
    ...grouped.map(([name, pictures]) =>
      group(groupName(name, pictures, language), pictures, listed(pictures, "h4"), language)
    ),
    rest.length === 0
      ? null
      : grouped.length === 0
        ? h("div", { class: "card" }, listed(rest, "h3"))
        : group(t.otherSystems, rest, listed(rest, "h4"), language),
    legend(language, charted.size > 0)
  )
}

/** Name of a group in the language: the English one of the first component that names it, else the group's own. */
const groupName = (name: string, pictures: ReadonlyArray<ShownComponent>, language: LanguageCode): string =>
  (language === "de" ? undefined : pictures.map(({ component }) => component.group_en).find(Boolean)) ?? name

const group = (
  name: string,
  pictures: ReadonlyArray<ShownComponent>,
  list: ComponentChildren,
  language: LanguageCode
) => {
  const state = overall(pictures.map(({ status }) => status))
  return h(
    "div",
    { class: "card" },
    h("div", { class: "line group" }, h("h3", null, name), stateLine(state, words(language).status[state])),
    list
  )
}

interface Drawing {
  readonly language: LanguageCode
  readonly heading: "h3" | "h4"
  /** Maximum number of rows of the component's table. */
  readonly rows: number
}

interface Shown extends Drawing {
  /** Whether the page shows a chart of its response times. At most `maxCharts` components have one. */
  readonly charted: boolean
}

const component = (picture: ShownComponent, snapshot: Snapshot, { charted, heading, language, rows }: Shown) => {
  const t = words(language)
  const name = nameOf(picture.component, language)
  const state = picture.status
  const note = !isWatched(picture)
    ? t.byHand
    : !isStale(picture, snapshot)
      ? null
      : picture.checked_at === null
        ? isFirst(picture)
          ? null
          : `${t.staleNever}.`
        : [`${t.staleOne} `, Times.moment(picture.checked_at, language), "."]
  return h(
    "li",
    null,
    h(
      "div",
      { class: "line" },
      h(heading, null, name),
      stateLine(state, isFirst(picture) ? t.checking : t.status[state])
    ),
    note === null ? null : h("p", { class: "note" }, note),
    !isWatched(picture) && picture.days.length === 0
      ? null
      : history(figures(picture.days, historyDays, Date.parse(snapshot.at)), name, { language, heading, rows }),
    charted ? responseChart(picture.times, { language, name, now: Date.parse(snapshot.at) }) : null
  )
}

const history = ({ days, uptime }: Figures, name: string, { language, rows }: Drawing) => {
  const t = words(language)
  const disturbed = days.filter(
    ({ status }) => status !== "operational" && status !== "unknown" && status !== "under_maintenance"
  ).length
  const gaps = days.filter(({ status }) => status === "unknown").length
  const share = uptime === null ? t.notYetMeasured : t.uptime({ percent: Times.percent(uptime, language) })
  const label =
    uptime === null
      ? t.pictureEmpty({ days: days.length })
      : t.picture({ days: days.length, percent: Times.percent(uptime, language), disturbed, gaps })
  const runs = runsOf(days, true).toReversed()
  return h(
    "div",
    { class: "history" },
    bars(days, { label: `${name}. ${label}`, language, told: runs.length <= rows }),
    h("span", { class: "edge", "aria-hidden": "true" }, t.daysAgo({ days: days.length })),
    runs.length === 1
      ? h("p", { class: "share" }, share)
      : h(
          "details",
          null,
          h("summary", null, share, h("span", { class: "unseen" }, ` – ${t.dayByDay}: ${name}`)),
          table(runs.slice(0, rows), name, language),
          runs.length > rows ? h("p", { class: "soft" }, t.olderDays) : null
        ),
    h("span", { class: "edge", "aria-hidden": "true" }, t.today)
  )
}

const table = (runs: ReadonlyArray<Run>, name: string, language: LanguageCode) => {
  const t = words(language)
  return h(
    "table",
    null,
    h("caption", { class: "unseen" }, `${name}: ${t.dayByDay}`),
    h("thead", null, h("tr", null, ...[t.days, t.state, t.available].map((title) => h("th", { scope: "col" }, title)))),
    h(
      "tbody",
      null,
      ...runs.map((run) =>
        h(
          "tr",
          null,
          h("th", { scope: "row" }, Times.days(run.first.date, run.last.date, language)),
          h(
            "td",
            null,
            t.status[run.first.status],
            run.partial
              ? h("small", null, ` (${t.partly({ percent: Times.percent(run.first.measured, language) })})`)
              : null
          ),
          h("td", null, run.first.uptime === null ? "–" : Times.percent(run.first.uptime, language))
        )
      )
    )
  )
}

const legendStates: ReadonlyArray<ShownStatus> = [
  "operational",
  "degraded_performance",
  "partial_outage",
  "major_outage",
  "under_maintenance"
]

const legend = (language: LanguageCode, hasCharts: boolean) => {
  const t = words(language)
  return h(
    "div",
    { class: "legend" },
    h("p", null, t.legendText),
    h(
      "ul",
      null,
      ...legendStates.map((state) => h("li", null, sampleBar(state), t.status[state])),
      h("li", null, sampleBar("operational", true), t.legendPartial),
      h("li", null, sampleBar("unknown"), t.legendGap)
    ),
    hasCharts ? h("p", null, t.legendTimes({ hours: responseHours })) : null
  )
}
