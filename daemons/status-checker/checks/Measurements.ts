/**
 * Results of the checker that are not written yet: component states and credits of measured time. Kept in memory,
 * bounded by components and days, so that checks continue while Postgres is away. Accesses neither network nor
 * database.
 *
 * Results leave in numbered batches. A batch with an unknown outcome is offered again unchanged, and its number shows
 * whether it was written (Store.ts): credits are sums and would count twice.
 */
import { type ComponentState, historyDays, responseHours, responseStep } from "../status/Model.ts"
import type { ComponentStatus } from "../status/Vocabulary.ts"
import { dayOf, measured, type Moment, noShare, oldestKept, plus, reach, type Share, split } from "./Days.ts"
import { type HysteresisState, type Limits, next } from "./Hysteresis.ts"
import { plusTime, slotOf, type TimeCredit } from "./ResponseTime.ts"
import type { ProbeResult } from "#core/probes/ProbeResult.ts"

/** Check of one component in a round. */
export interface Check {
  readonly componentId: string
  /** Start of the check. */
  readonly at: Moment
  /** Undefined when no probe had a result; the measured time then continues as without a check. */
  readonly found: ComponentStatus | undefined
  readonly results: ReadonlyArray<ProbeResult>
  /** Response time, see ResponseTime.ts. Unit: milliseconds. */
  readonly took?: number
}

/** Row of `component_state`. */
export interface StateRow extends HysteresisState {
  readonly componentId: string
  readonly since: number
  readonly checkedAt: number
  readonly results: ReadonlyArray<ProbeResult>
}

export interface DayCredit extends Share {
  readonly componentId: string
  readonly day: string
}

export interface Batch {
  readonly number: number
  readonly states: ReadonlyArray<StateRow>
  /** Added to the stored days. */
  readonly credits: ReadonlyArray<DayCredit>
  /** Added to the stored response times. */
  readonly times: ReadonlyArray<TimeCredit>
  /** All components with a state; undefined when unknown, and then no state is deleted. */
  readonly present: ReadonlyArray<string> | undefined
  /** First day to keep; undefined when none is deleted. */
  readonly forgetBefore: string | undefined
}

export interface MeasurementOptions extends Limits {
  /** Interval of the rounds. Unit: milliseconds. */
  readonly interval: number
  /**
   * Time the current day must have lasted before old days are deleted. Unit: milliseconds. Reason: a temporarily wrong
   * clock must not delete history.
   */
  readonly settledAfter?: number
  /** Called after each change of `latest`. Must not throw or block. */
  readonly onChange?: () => void
}

const settledAfter = 3_600_000

/** Most unwritten quarters of one component. Reason: those that are shown; older ones would be deleted unseen. */
const maxSlots = (responseHours * 3_600_000) / responseStep

interface Entry {
  readonly row: StateRow
  readonly at: Moment
}

export class Measurements {
  readonly #options: MeasurementOptions
  readonly #entries = new Map<string, Entry>()
  #credits = new Map<string, Map<string, Share>>()
  /** By component, then by quarter of an hour. */
  #times = new Map<string, Map<number, TimeCredit>>()
  readonly #changed = new Set<string>()
  /** Whether a component has left since the last batch, so that its stored state must go. */
  #hasLeft = false
  #number = 0
  #offered: Batch | undefined
  #present: ReadonlySet<string> | undefined
  #today: { readonly day: string; readonly since: number } | undefined
  #pruned: string | undefined
  #now = 0
  #latest: ReadonlyMap<string, ComponentState> = new Map()

  constructor(options: MeasurementOptions) {
    this.#options = options
  }

  /**
   * Starts with the stored states. Discards unwritten results, because the previous checker has measured that time.
   */
  begin(states: ReadonlyArray<StateRow>): void {
    this.#entries.clear()
    for (const row of states) this.#entries.set(row.componentId, { row, at: { wall: row.checkedAt, monotonic: null } })
    this.#credits = new Map()
    this.#times = new Map()
    this.#hasLeft = false
    this.#changed.clear()
    this.#number = 0
    this.#offered = undefined
    this.#tell()
  }

  /** Another process checks now. */
  leave(): void {
    this.begin([])
  }

  /** Records all or some checks of a round. */
  take(checks: ReadonlyArray<Check>): void {
    for (const check of checks) {
      if (check.found !== undefined) this.#check({ ...check, found: check.found })
      if (check.took !== undefined) this.#time(check.componentId, check.at.wall, check.took)
    }
    if (checks.some(({ found }) => found !== undefined)) this.#tell()
  }

  /** Sets the measured components. State and response times of all others are dropped; their days stay. */
  keep(ids: ReadonlyArray<string>): void {
    const present = new Set(ids)
    const isSame = this.#present?.size === present.size && ids.every((id) => this.#present?.has(id))
    this.#present = present
    if (isSame) return
    for (const id of this.#entries.keys())
      if (!present.has(id)) {
        this.#entries.delete(id)
        this.#hasLeft = true
      }
    for (const id of this.#times.keys()) if (!present.has(id)) this.#times.delete(id)
    for (const id of this.#changed) if (!present.has(id)) this.#changed.delete(id)
    this.#tell()
  }

  /** Latest states by component; a new map after every change. */
  latest(): ReadonlyMap<string, ComponentState> {
    return this.#latest
  }

  /** Batch to write; the same one until `written` is called with it. */
  batch(): Batch | undefined {
    const isNew = this.#changed.size > 0 || this.#credits.size > 0 || this.#times.size > 0 || this.#hasLeft
    if (this.#offered === undefined && isNew) {
      this.#number++
      const forgetBefore = this.#prunable()
      if (forgetBefore !== undefined) this.#pruned = forgetBefore
      this.#offered = {
        number: this.#number,
        states: Array.from(this.#changed, (id) => this.#entries.get(id)!.row),
        credits: Array.from(this.#credits, ([componentId, days]) =>
          Array.from(days, ([day, share]) => ({ componentId, day, ...share }))
        ).flat(),
        times: Array.from(this.#times.values(), (slots) => Array.from(slots.values())).flat(),
        present: this.#present === undefined ? undefined : Array.from(this.#present),
        forgetBefore
      }
      this.#changed.clear()
      this.#credits = new Map()
      this.#times = new Map()
      this.#hasLeft = false
    }
    return this.#offered
  }

  written(batch: Batch): void {
    if (this.#offered === batch) this.#offered = undefined
  }

  /** Number of component days that wait to be written. */
  waiting(): number {
    return (
      (this.#offered?.credits.length ?? 0) +
      Array.from(this.#credits.values()).reduce((total, days) => total + days.size, 0)
    )
  }

  #check({ at, componentId, found, results }: Check & { readonly found: ComponentStatus }): void {
    const before = this.#entries.get(componentId)
    if (before !== undefined) {
      const length = measured(before.at, at, reach * this.#options.interval)
      for (const part of split(before.at.wall, length))
        this.#credit(componentId, part.day, before.row.status, part.length)
    }
    const held = next(before?.row, found, this.#options)
    const since = before?.row.status === held.status ? before.row.since : at.wall
    this.#entries.set(componentId, { at, row: { ...held, componentId, since, checkedAt: at.wall, results } })
    this.#changed.add(componentId)
    this.#noteDay(at)
  }

  #credit(componentId: string, day: string, status: ComponentStatus, length: number): void {
    const days = this.#credits.get(componentId) ?? new Map<string, Share>()
    this.#credits.set(componentId, days.set(day, plus(days.get(day) ?? noShare, status, length)))
    // The smallest date is the oldest one.
    if (days.size > historyDays)
      days.delete(Array.from(days.keys()).reduce((oldest, other) => (other < oldest ? other : oldest)))
  }

  #time(componentId: string, wall: number, took: number): void {
    const slots = this.#times.get(componentId) ?? new Map<number, TimeCredit>()
    const slot = slotOf(wall)
    this.#times.set(componentId, slots.set(slot, plusTime(slots.get(slot), componentId, slot, took)))
    if (slots.size > maxSlots) slots.delete(Math.min(...slots.keys()))
  }

  #noteDay({ monotonic, wall }: Moment): void {
    const day = dayOf(wall)
    if (this.#today?.day !== day) this.#today = { day, since: monotonic ?? 0 }
    this.#now = monotonic ?? 0
  }

  #prunable(): string | undefined {
    if (this.#today === undefined || this.#now - this.#today.since < (this.#options.settledAfter ?? settledAfter))
      return undefined
    const oldest = oldestKept(Date.parse(this.#today.day), historyDays)
    return oldest === this.#pruned ? undefined : oldest
  }

  #tell(): void {
    this.#latest = new Map(
      Array.from(this.#entries.values(), ({ row }) => [
        row.componentId,
        {
          component_id: row.componentId,
          status: row.status,
          since: new Date(row.since).toISOString(),
          checked_at: new Date(row.checkedAt).toISOString()
        }
      ])
    )
    this.#options.onChange?.()
  }
}
