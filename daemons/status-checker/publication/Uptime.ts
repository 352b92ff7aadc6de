/** Computes uptime as a share of the measured time. Pure. Maintenance and gaps count neither as up nor as down. */
import type { Day } from "../status/Model.ts"
import { type ComponentStatus, worse } from "../status/Vocabulary.ts"

/** Unit: milliseconds. */
const wholeDay = 86_400_000

export interface DayFigures {
  /** UTC day, such as `2026-01-31`. */
  readonly date: string
  /** Percent of the time measured outside maintenance, with three decimals; null when there is none. */
  readonly uptime: number | null
  /** Percent of the day that was measured, with three decimals. */
  readonly measured: number
  /** Worst status of the day; `unknown` when nothing was measured. */
  readonly status: ComponentStatus | "unknown"
}

export interface Figures {
  readonly uptime: number | null
  /** Percent of the window that was measured; today counts up to now. */
  readonly measured: number
  /** One entry per day, oldest first. */
  readonly days: ReadonlyArray<DayFigures>
}

/** Figures of the last `count` days up to `now`, in milliseconds since 1970. */
export const figures = (days: ReadonlyArray<Day>, count: number, now: number): Figures => {
  const byDate = new Map(days.map((one) => [one.day, one]))
  const dates = Array.from({ length: count }, (_, index) => dateOf(now - (count - 1 - index) * wholeDay))
  const found = dates.map((date) => byDate.get(date)).filter((one) => one !== undefined)
  const elapsed = (count - 1) * wholeDay + (now % wholeDay)
  return {
    uptime: share(found),
    measured: percent(sum(found.map(lengthOf)), elapsed),
    days: dates.map((date): DayFigures => {
      const one = byDate.get(date)
      return {
        date,
        uptime: one === undefined ? null : share([one]),
        measured: one === undefined ? 0 : percent(lengthOf(one), date === dates.at(-1) ? now % wholeDay : wholeDay),
        status: one === undefined ? "unknown" : statusOf(one)
      }
    })
  }
}

const dateOf = (time: number): string => new Date(time).toISOString().slice(0, 10)
const sum = (numbers: ReadonlyArray<number>): number => numbers.reduce((a, b) => a + b, 0)
const up = (one: Day): number => one.operational + one.degraded_performance
const down = (one: Day): number => one.partial_outage + one.major_outage
const lengthOf = (one: Day): number => up(one) + down(one) + one.under_maintenance

const share = (days: ReadonlyArray<Day>): number | null => {
  const counted = sum(days.map((one) => up(one) + down(one)))
  return counted === 0 ? null : percent(sum(days.map(up)), counted)
}

/** Truncated to three decimals, so that only a full share becomes 100. */
const percent = (part: number, of: number): number =>
  of <= 0 ? 0 : Math.min(100, Math.floor((part * 100_000) / of) / 1_000)

const statusOf = (one: Day): ComponentStatus | "unknown" => {
  const met = (
    ["operational", "under_maintenance", "degraded_performance", "partial_outage", "major_outage"] as const
  ).filter((status) => one[status] > 0)
  return met.length === 0 ? "unknown" : met.reduce<ComponentStatus>(worse, "operational")
}
