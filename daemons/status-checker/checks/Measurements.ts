/**
 * What the checker knows and has not yet written: the states of components, and credits of measured time. In memory, so
 * that checks go on while Postgres is away; bounded by components and days. Asks nothing and writes nothing.
 *
 * What is to be written leaves in numbered batches. A batch that may or may not have been written is offered again
 * unchanged, and its number tells (Records.ts) whether it was: credits are sums, and would count twice.
 */
import { type ComponentState, historyDays } from "../status/Model.ts"
import type { ComponentStatus } from "../status/Vocabulary.ts"
import { dayOf, measured, type Moment, noShare, oldestKept, plus, reach, type Share, split } from "./Days.ts"
import { type Held, type Limits, next } from "./Hysteresis.ts"
import type { ProbeResult } from "../status/Probe.ts"

/** One component's part of a round. */
export interface Check {
  readonly componentId: string
  /** When it was asked. */
  readonly at: Moment
  /** Undefined: nothing could be asked, so nothing was measured, and time goes on as if nobody had looked. */
  readonly found: ComponentStatus | undefined
  readonly results: ReadonlyArray<ProbeResult>
}

/** A row of `component_state`. */
export interface StateRow extends Held {
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
  /** To be added to what is there. */
  readonly credits: ReadonlyArray<DayCredit>
  /** All components that have a state; undefined: nothing is known of that, and none is taken away. */
  readonly present: ReadonlyArray<string> | undefined
  /** Days before this one may go. */
  readonly forgetBefore: string | undefined
}

export interface MeasurementOptions extends Limits {
  /** Between two rounds. Unit: milliseconds. */
  readonly interval: number
  /**
   * How long today must have been today before old days are let go. Unit: milliseconds. Reason: a clock that is wrong
   * for a while costs no history.
   */
  readonly settledAfter?: number
}

const settledAfter = 3_600_000

interface Entry {
  readonly row: StateRow
  readonly at: Moment
}

export class Measurements {
  readonly #options: MeasurementOptions
  readonly #entries = new Map<string, Entry>()
  #credits = new Map<string, Map<string, Share>>()
  readonly #changed = new Set<string>()
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
   * Begins anew with what another life has left. What was not written is dropped: whoever took over has measured that
   * time, too.
   */
  begin(states: ReadonlyArray<StateRow>): void {
    this.#entries.clear()
    for (const row of states) this.#entries.set(row.componentId, { row, at: { wall: row.checkedAt, monotonic: null } })
    this.#credits = new Map()
    this.#changed.clear()
    this.#number = 0
    this.#offered = undefined
    this.#tell()
  }

  /** Another process checks now. */
  leave(): void {
    this.begin([])
  }

  /** Takes a round, or a part of one. */
  take(checks: ReadonlyArray<Check>): void {
    for (const check of checks) {
      if (check.found !== undefined) this.#check({ ...check, found: check.found })
    }
    this.#tell()
  }

  /**
   * The components that are measured now: what is known of others is forgotten, but for their days. None at all: a list
   * that is not there yet.
   */
  keep(ids: ReadonlyArray<string>): void {
    if (ids.length === 0) return
    const present = new Set(ids)
    const isSame = this.#present?.size === present.size && ids.every((id) => this.#present?.has(id))
    this.#present = present
    if (isSame) return
    for (const id of this.#entries.keys()) if (!present.has(id)) this.#entries.delete(id)
    for (const id of this.#changed) if (!present.has(id)) this.#changed.delete(id)
    this.#tell()
  }

  /** By component; another map after every change. */
  latest(): ReadonlyMap<string, ComponentState> {
    return this.#latest
  }

  /** What is to be written; the same until `written` is called with it. */
  batch(): Batch | undefined {
    if (this.#offered === undefined && (this.#changed.size > 0 || this.#credits.size > 0)) {
      this.#number++
      const forgetBefore = this.#prunable()
      if (forgetBefore !== undefined) this.#pruned = forgetBefore
      this.#offered = {
        number: this.#number,
        states: Array.from(this.#changed, (id) => this.#entries.get(id)!.row),
        credits: Array.from(this.#credits, ([componentId, days]) =>
          Array.from(days, ([day, share]) => ({ componentId, day, ...share }))
        ).flat(),
        present: this.#present === undefined ? undefined : Array.from(this.#present),
        forgetBefore
      }
      this.#changed.clear()
      this.#credits = new Map()
    }
    return this.#offered
  }

  written(batch: Batch): void {
    if (this.#offered === batch) this.#offered = undefined
  }

  /** How many days of components wait to be written. */
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
    // The least of them is the oldest.
    if (days.size > historyDays)
      days.delete(Array.from(days.keys()).reduce((oldest, other) => (other < oldest ? other : oldest)))
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
  }
}
