/** Shares of time up, of what was measured. Pure. Maintenance counts neither way, and a gap is a gap. */
import type { Day } from "../status/Model.ts"
import { type ComponentStatus, worse } from "../status/Vocabulary.ts"

/** Unit: milliseconds. */
const wholeDay = 86_400_000

export interface DayFigures {
  /** `2026-01-31`, in UTC. */
  readonly date: string
  /** Percent of the time measured outside maintenance, three decimals; null: none was. */
  readonly uptime: number | null
  /** Percent of the day measured as anything, three decimals. */
  readonly measured: number
  /** The worst of the day; `unknown`: nothing was measured. */
  readonly status: ComponentStatus | "unknown"
}

export interface Figures {
  readonly uptime: number | null
  /** Percent of the window's days that was measured; today counts as far as it has come. */
  readonly measured: number
  /** One for each day, the oldest first. */
  readonly days: ReadonlyArray<DayFigures>
}

/** The last `count` days until the one of `now` (milliseconds since 1970). */
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

/** Three decimals, cut and not rounded: what is not whole is not to be shown as whole. */
const percent = (part: number, of: number): number =>
  of <= 0 ? 0 : Math.min(100, Math.floor((part * 100_000) / of) / 1_000)

const statusOf = (one: Day): ComponentStatus | "unknown" => {
  const met = (
    ["operational", "under_maintenance", "degraded_performance", "partial_outage", "major_outage"] as const
  ).filter((status) => one[status] > 0)
  return met.length === 0 ? "unknown" : met.reduce<ComponentStatus>(worse, "operational")
}
