/**
 * Draws ninety days as bars. One dashed line per run of equal days keeps a component at a few hundred bytes. Height
 * shows the status (taller is worse) and width the measured share, so colour is not required. Pure.
 */
import { h } from "preact"
import type { DayFigures } from "../Uptime.ts"
import { letters } from "./Icons.ts"
import type { LanguageCode } from "#core/words/TextMemory.ts"
import * as Times from "./Times.ts"
import type { ShownStatus } from "../../status/Vocabulary.ts"
import { words } from "./Words.ts"

/** Consecutive days with equal status. */
export interface Run {
  /** Indexes in the window, both inclusive. */
  readonly from: number
  readonly until: number
  readonly first: DayFigures
  readonly last: DayFigures
  /** Whether only part of the day was measured. */
  readonly partial: boolean
}

/** Days measured less than this are partial. Unit: percent. Reason: a restart of the checks needs no mark. */
const whole = 90

/** Width of a day with its gap. Unit: units of the drawing. */
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

/** Runs of equal days. With `exact`, days with different shares form separate runs. */
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

/** Such as `2–9 Nov: Operational, 100%`. */
export const sayRun = ({ first, last, partial }: Run, language: LanguageCode): string => {
  const t = words(language)
  return [
    `${Times.days(first.date, last.date, language)}: ${t.status[first.status]}`,
    ...(first.uptime === null ? [] : [t.uptime({ percent: Times.percent(first.uptime, language) })]),
    ...(partial ? [t.partly({ percent: Times.percent(first.measured, language) })] : [])
  ].join(", ")
}

const lineOf = ({ first: { status }, from, partial, until }: Run): string => {
  const inset = partial ? (bar.whole - bar.partial) / 2 : 0
  return `M${from * slot + inset} ${tallest - barHeights[status] / 2}H${until * slot + bar.whole - inset}`
}

const classOf = ({ first: { status }, partial }: Run): string => letters[status] + (partial ? " n" : "")

/**
 * `told`: every run has a tooltip; otherwise all runs of a status share one line. `label`: summary for screen readers.
 */
export const bars = (
  days: ReadonlyArray<DayFigures>,
  { label, language, told }: { readonly label: string; readonly language: LanguageCode; readonly told: boolean }
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

/** Single bar for the legend. */
export const sampleBar = (status: ShownStatus, partial = false) =>
  h(
    "svg",
    { class: "sample", viewBox: `0 0 ${bar.whole} ${tallest}`, preserveAspectRatio: "none", "aria-hidden": "true" },
    h("path", {
      class: letters[status] + (partial ? " n" : ""),
      d:
        `M${partial ? (bar.whole - bar.partial) / 2 : 0} ${tallest - barHeights[status] / 2}` +
        `h${partial ? bar.partial : bar.whole}`
    })
  )
