import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type Batch, Measurements, type StateRow } from "#daemons/status-checker/checks/Measurements.ts"
import { dayLength, dayOf, fill, noShare, type Share, sum } from "#daemons/status-checker/checks/Days.ts"
import type { ComponentStatus } from "#daemons/status-checker/status/Vocabulary.ts"
import { slotOf } from "#daemons/status-checker/checks/ResponseTime.ts"
import { World } from "./CheckWorld.ts"

const start = Date.parse("2026-01-01T21:00:00Z")
const hour = 3_600_000

/** What a database would hold. */
class Store {
  days = new Map<string, Share>()
  states: ReadonlyArray<StateRow> = []
  #number = 0

  restart(): void {
    this.#number = 0
  }

  put(batch: Batch): void {
    if (batch.number <= this.#number) return
    expect(batch.number).toBe(this.#number + 1)
    this.#number = batch.number
    if (batch.states.length > 0) this.states = batch.states
    for (const { componentId: _id, day, ...share } of batch.credits)
      this.days.set(day, fill(this.days.get(day) ?? noShare, share))
  }
}

type Step =
  | { readonly pass: number; readonly found: ComponentStatus | undefined }
  | { readonly jump: number }
  | { readonly write: "done" | "in doubt" }
  | { readonly restart: number }

const play = (steps: ReadonlyArray<Step>) => {
  const world = new World(hour, start)
  const store = new Store()
  const write = (outcome: "done" | "in doubt"): void => {
    const batch = world.book.batch()
    if (batch === undefined) return
    store.put(batch)
    // Nobody heard that it was written: it comes again, and what is new waits behind it.
    if (outcome === "in doubt") expect(world.book.batch()).toBe(batch)
    world.wrote(batch)
  }
  for (const step of steps) {
    if ("pass" in step) {
      world.pass(step.pass)
      world.check(step.found)
    } else if ("jump" in step) world.jump(step.jump)
    else if ("write" in step) write(step.write)
    else {
      world.pass(step.restart)
      world.restart(store.states)
      store.restart()
    }
  }
  write("done")
  return { world, store }
}

const found = fc.constantFrom<ComponentStatus | undefined>(
  "operational",
  "degraded_performance",
  "partial_outage",
  "major_outage",
  "under_maintenance",
  undefined
)
const checked = fc.record({ pass: fc.integer({ min: 1, max: 4 * hour }), found })
const written = fc.record({ write: fc.constantFrom("done" as const, "in doubt" as const) })
const restarted = fc.record({ restart: fc.integer({ min: 0, max: 5 * hour }) })
const jumped = fc.record({
  jump: fc.oneof(fc.integer({ min: -3 * dayLength, max: 3 * dayLength }), fc.integer({ min: -hour, max: hour }))
})

describe("measured time", () => {
  it("is exact to the millisecond over restarts and kills", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            { weight: 6, arbitrary: checked },
            { weight: 3, arbitrary: written },
            { weight: 1, arbitrary: restarted }
          ),
          { maxLength: 80 }
        ),
        (steps) => {
          const { store, world } = play(steps)
          for (let day = Math.floor(start / dayLength) * dayLength; day <= world.wall; day += dayLength) {
            expect(store.days.get(dayOf(day)) ?? noShare).toEqual(world.truth(day))
          }
        }
      ),
      { numRuns: 300 }
    )
  })

  it("is neither doubled nor invented when the clock jumps", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            { weight: 6, arbitrary: checked },
            { weight: 3, arbitrary: written },
            { weight: 1, arbitrary: jumped },
            { weight: 1, arbitrary: restarted }
          ),
          { maxLength: 80 }
        ),
        (steps) => {
          const { store, world } = play(steps)
          let all = 0
          for (const share of store.days.values()) {
            expect(sum(share)).toBeLessThanOrEqual(dayLength)
            for (const length of Object.values(share)) expect(length).toBeGreaterThanOrEqual(0)
            all += sum(share)
          }
          // Less only where days are full that seem to have come twice.
          expect(all).toBeLessThanOrEqual(world.total)
          // A restart knows the wall clock only: a jump just then can add what one check may stand for, and no more.
          expect(world.total).toBeLessThanOrEqual(world.real + world.restarts * 1.5 * hour)
        }
      ),
      { numRuns: 300 }
    )
  })
})

describe("a book", () => {
  const options = { interval: 1_000, failuresBeforeDown: 2, successesBeforeUp: 2 }
  const check = (second: number, found: ComponentStatus = "operational", componentId = "web") => ({
    componentId,
    at: { wall: start + 1_000 * second, monotonic: 1_000 * second },
    found,
    results: []
  })

  it("returns the last result and its start, and skips failed queries", () => {
    const book = new Measurements(options)
    book.take([check(0), check(1, "major_outage"), { ...check(2), found: undefined }])
    expect(book.latest().get("web")).toEqual({
      component_id: "web",
      status: "operational",
      since: new Date(start).toISOString(),
      checked_at: new Date(start + 1_000).toISOString()
    })
    book.take([check(3, "major_outage")])
    expect(book.latest().get("web")).toMatchObject({
      status: "major_outage",
      since: new Date(start + 3_000).toISOString()
    })
    expect(book.batch()?.credits).toEqual([{ componentId: "web", day: dayOf(start), ...noShare, operational: 2_500 }])
  })

  it("keeps the shown status and the progress of a change over a restart", () => {
    const first = new Measurements(options)
    first.take([check(0), check(1, "major_outage")])
    const second = new Measurements(options)
    second.begin(first.batch()!.states)
    expect(second.latest()).toEqual(first.latest())
    second.take([check(2, "major_outage")])
    expect(second.latest().get("web")?.status).toBe("major_outage")
  })

  it("drops unwritten results when another process has taken over", () => {
    const book = new Measurements(options)
    book.take([check(0), check(1)])
    book.batch()
    book.take([check(2)])
    book.begin([
      {
        componentId: "web",
        status: "major_outage",
        seen: null,
        streak: 0,
        since: start,
        checkedAt: start + 2_500,
        results: []
      }
    ])
    expect(book.batch()).toBeUndefined()
    book.take([check(3)])
    expect(book.batch()).toMatchObject({ number: 1, credits: [{ ...noShare, major_outage: 500 }] })
    book.leave()
    expect([book.batch(), book.latest().size]).toEqual([undefined, 0])
  })

  it("forgets removed components, also the last one, and lets their rows be deleted", () => {
    const book = new Measurements(options)
    book.keep(["web", "mail"])
    book.take([check(0), check(0, "operational", "mail")])
    book.keep(["web"])
    expect([...book.latest().keys()]).toEqual(["web"])
    const first = book.batch()!
    expect(first).toMatchObject({ present: ["web"], states: [{ componentId: "web" }] })
    book.written(first)
    expect(book.batch()).toBeUndefined()
    book.take([{ ...check(1), took: 12 }])
    book.keep([])
    expect([...book.latest().keys()]).toEqual([])
    const last = book.batch()!
    expect(last).toMatchObject({ present: [], states: [], times: [] })
    book.written(last)
    expect(book.batch()).toBeUndefined()
    // Also when nothing but the list has changed.
    book.keep(["web"])
    book.take([check(2)])
    book.written(book.batch()!)
    book.keep([])
    expect(book.batch()).toMatchObject({ present: [], states: [], credits: [] })
  })

  it("sums up response times by quarter of an hour, at most a day of them", () => {
    const book = new Measurements(options)
    const slot = slotOf(start)
    book.take([{ ...check(0), took: 40 }])
    book.take([
      { ...check(1), took: 10 },
      { ...check(1, "operational", "mail"), took: 3 }
    ])
    // No answer, no time.
    book.take([check(2, "major_outage")])
    expect(book.batch()?.times).toEqual([
      { componentId: "web", slot, checks: 2, total: 50, most: 40 },
      { componentId: "mail", slot, checks: 1, total: 3, most: 3 }
    ])
    for (let quarter = 1; quarter <= 200; quarter++) book.take([{ ...check(quarter * 900), took: quarter }])
    book.written(book.batch()!)
    const times = book.batch()!.times
    expect([times.length, times[0]!.most, times.at(-1)!.most]).toEqual([96, 105, 200])
  })

  it("repeats a batch until it is written, then returns newer results", () => {
    const book = new Measurements(options)
    expect(book.batch()).toBeUndefined()
    book.take([check(0), check(1)])
    const first = book.batch()!
    book.take([check(2), check(3)])
    expect(book.batch()).toBe(first)
    expect(book.waiting()).toBe(2)
    book.written(first)
    expect(book.batch()).toMatchObject({
      number: 2,
      credits: [{ operational: 2_000 }],
      states: [{ checkedAt: start + 3_000 }]
    })
    book.written(first)
    expect(book.batch()).toMatchObject({ number: 2 })
    book.written(book.batch()!)
    expect(book.batch()).toBeUndefined()
  })

  it("keeps at most ninety days per component while writes fail", () => {
    const book = new Measurements({ ...options, interval: dayLength })
    for (let day = 0; day < 200; day++) book.take([check(86_400 * day)])
    const days = book.batch()!.credits.map(({ day }) => day)
    expect(days).toHaveLength(90)
    expect(days.toSorted().at(-1)).toBe(dayOf(start + 199 * dayLength))
  })

  it("deletes old days once a day, despite a clock that is wrong for less than an hour", () => {
    const book = new Measurements({ ...options, interval: hour })
    const forgetting = (hours: number, wall = 0) => {
      book.take([{ ...check(3_600 * hours), at: { wall: start + hours * hour + wall, monotonic: hours * hour } }])
      const batch = book.batch()!
      book.written(batch)
      return batch.forgetBefore
    }
    expect(forgetting(0)).toBeUndefined()
    expect(forgetting(1)).toBe("2025-10-04")
    expect(forgetting(2)).toBeUndefined()
    expect(forgetting(2.1, 400 * dayLength)).toBeUndefined()
    expect(forgetting(2.5, 400 * dayLength)).toBeUndefined()
    expect(forgetting(3)).toBeUndefined()
    expect(forgetting(4.5)).toBe("2025-10-05")
  })
})
