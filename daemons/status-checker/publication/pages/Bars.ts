/**
 * Ninety days as bars. One line for each run of like days, its dashes being the bars: a component takes a few hundred
 * bytes. Height says how bad (taller is worse), width how much was measured, so colour is not needed. Pure.
 */
import { h } from "preact"
import type { DayFigures } from "../Uptime.ts"
import { letters } from "./Icons.ts"
import type { Language } from "#core/words/Language.ts"
import * as Times from "./Times.ts"
import { type ShownStatus, words } from "./Words.ts"

/** Days in a row of which the same can be said. */
export interface Run {
  /** Places in the window, both included. */
  readonly from: number
  readonly until: number
  readonly first: DayFigures
  readonly last: DayFigures
  /** Only part of it was measured. */
  readonly partial: boolean
}

/**
 * Less than this of a day measured makes it partial. Unit: percent. Reason: a restart of the checks is not worth a
 * mark.
 */
const whole = 90

/** Unit: units of the drawing; a day's bar and the gap after it. */
const slot = 4
const bar = { whole: 3, partial: 1.2 } as const
export const barHeights: Readonly<Record<ShownStatus, number>> = {
  operational: 22,
  under_maintenance: 14,
  degraded_performance: 27,
  partial_outage: 32,
  major_outage: 36,
  unknown: 3
}
const tallest = 36

const isPartial = ({ measured, status }: DayFigures): boolean => status !== "unknown" && measured < whole

/** `exact`: days that are shown with another share are another run. */
export const runsOf = (days: ReadonlyArray<DayFigures>, exact: boolean): ReadonlyArray<Run> => {
  const runs: Array<Run> = []
  days.forEach((day, at) => {
    const before = runs.at(-1)
    const partial = isPartial(day)
    const same =
      before !== undefined &&
      before.first.status === day.status &&
      before.partial === partial &&
      (!exact || (before.first.uptime === day.uptime && (!partial || before.first.measured === day.measured)))
    if (same) runs[runs.length - 1] = { ...before, until: at, last: day }
    else runs.push({ from: at, until: at, first: day, last: day, partial })
  })
  return runs
}

/** `2–9 Nov: Operational, 100%`. */
export const sayRun = ({ first, last, partial }: Run, language: Language): string => {
  const t = words[language]
  return [
    `${Times.days(first.date, last.date, language)}: ${t.status[first.status]}`,
    ...(first.uptime === null ? [] : [t.uptime(Times.percent(first.uptime, language))]),
    ...(partial ? [t.partly(Times.percent(first.measured, language))] : [])
  ].join(", ")
}

const lineOf = ({ first: { status }, from, partial, until }: Run): string => {
  const inset = partial ? (bar.whole - bar.partial) / 2 : 0
  return `M${from * slot + inset} ${tallest - barHeights[status] / 2}H${until * slot + bar.whole - inset}`
}

const classOf = ({ first: { status }, partial }: Run): string => letters[status] + (partial ? " n" : "")

/**
 * `told`: each run says on hover what it is; else one line for all runs of a kind. `label`: what it comes to, for who
 * does not see it.
 */
export const bars = (
  days: ReadonlyArray<DayFigures>,
  { label, language, told }: { readonly label: string; readonly language: Language; readonly told: boolean }
) =>
  h(
    "svg",
    {
      class: "bars",
      viewBox: `0 0 ${days.length * slot - slot + bar.whole} ${tallest}`,
      preserveAspectRatio: "none",
      role: "img",
      "aria-label": label
    },
    ...(told
      ? runsOf(days, true).map((run) =>
          h("path", { class: classOf(run), d: lineOf(run) }, h("title", null, sayRun(run, language)))
        )
      : Array.from(Map.groupBy(runsOf(days, false), classOf), ([kind, runs]) =>
          h("path", { class: kind, d: runs.map(lineOf).join("") })
        ))
  )

/** One bar for the legend. */
export const sampleBar = (status: ShownStatus, partial = false) =>
  h(
    "svg",
    { class: "sample", viewBox: `0 0 ${bar.whole} ${tallest}`, preserveAspectRatio: "none", "aria-hidden": "true" },
    h("path", {
      class: letters[status] + (partial ? " n" : ""),
      d: `M${partial ? (bar.whole - bar.partial) / 2 : 0} ${tallest - barHeights[status] / 2}h${partial ? bar.partial : bar.whole}`
    })
  )
