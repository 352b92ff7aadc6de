/**
 * Draws the response times of the last 24 hours: the mean of each quarter of an hour as a line, the slowest check as an
 * area behind it. A quarter without an answer is a gap. The text below has the figures, so the drawing is not required.
 * Pure.
 */
import { h } from "preact"
import { responseHours, responseStep, type ResponseTimes } from "../../status/Model.ts"
import { summary } from "../ResponseSummary.ts"
import type { LanguageCode } from "#core/words/TextMemory.ts"
import * as Times from "./Times.ts"
import { words } from "./Words.ts"

/** Unit: units of the drawing. One unit is a quarter of an hour. */
const width = (responseHours * 3_600_000) / responseStep
const height = 30

/** A quarter in the drawing. `at`: its index, the oldest is 0. */
interface Point {
  readonly at: number
  readonly mean: number
  readonly most: number
}

/** Quarters in the window that ends at `now`, in milliseconds since 1970, as runs without a gap. */
export const runsOf = (times: ReadonlyArray<ResponseTimes>, now: number): ReadonlyArray<ReadonlyArray<Point>> => {
  const last = Math.floor(now / responseStep)
  const runs: Array<Array<Point>> = []
  for (const { at, mean_ms, most_ms } of times) {
    const point = { at: width - 1 - (last - Date.parse(at) / responseStep), mean: mean_ms, most: most_ms }
    if (point.at < 0 || point.at >= width) continue
    const run = runs.at(-1)
    if (run?.at(-1)?.at === point.at - 1) run.push(point)
    else runs.push([point])
  }
  return runs
}

/** Height of a time in whole units; `top` is at the upper edge. */
const level = (time: number, top: number): number => Math.round(height - 1 - (time / top) * (height - 2))

/** Quarters as steps, so that a single one is seen. Relative, and equal ones as one, which keeps the page small. */
const steps = (levels: ReadonlyArray<number>): string => {
  const parts: Array<string> = []
  let length = 0
  levels.forEach((now, index) => {
    length++
    const next = levels[index + 1]
    if (next === now) return
    parts.push(`h${length}`, next === undefined ? "" : `v${next - now}`)
    length = 0
  })
  return parts.join("")
}

export const responseChart = (
  times: ReadonlyArray<ResponseTimes>,
  { language, name, now }: { readonly language: LanguageCode; readonly name: string; readonly now: number }
) => {
  const { mean_ms, most_ms } = summary(times)
  if (mean_ms === null || most_ms === null) return null
  const t = words(language)
  const runs = runsOf(times, now)
  const top = Math.max(1, most_ms)
  const line = (run: ReadonlyArray<Point>, of: (point: Point) => number): string => {
    const levels = run.map((point) => level(of(point), top))
    return `M${run[0]!.at} ${levels[0]}${steps(levels)}`
  }
  const said = t.responseTime({
    mean: Times.milliseconds(mean_ms, language),
    most: Times.milliseconds(most_ms, language)
  })
  return h(
    "div",
    { class: "history answers" },
    h(
      "svg",
      {
        class: "lines",
        viewBox: `0 0 ${width} ${height}`,
        preserveAspectRatio: "none",
        role: "img",
        "aria-label": `${name}. ${t.lastHours({ hours: responseHours })}: ${said}`
      },
      h("path", {
        class: "area",
        d: runs.map((run) => `${line(run, ({ most }) => most)}V${height}H${run[0]!.at}Z`).join("")
      }),
      h("path", { class: "mean", d: runs.map((run) => line(run, ({ mean }) => mean)).join("") })
    ),
    h("span", { class: "edge", "aria-hidden": "true" }, t.hoursAgo({ hours: responseHours })),
    h("p", { class: "share" }, said),
    h("span", { class: "edge", "aria-hidden": "true" }, t.now)
  )
}
