import { describe, expect, it } from "@effect/vitest"
import fc from "fast-check"
import { type Arc, catchUp, skew, windowOf } from "#daemons/dns-verifier/verification/sweep/Schedule.ts"
import { Rounds } from "#daemons/dns-verifier/verification/sweep/Rounds.ts"

const length = 300_000
const holds = (arcs: ReadonlyArray<Arc>, phase: number) =>
  arcs.filter(({ above, upTo }) => phase > above && phase <= upTo).length

/** What a shard's life is made of. Unit: milliseconds. */
type Step =
  | { readonly kind: "work"; readonly ms: number }
  /** Killed in the middle of a window, and back after so long. */
  | { readonly kind: "kill"; readonly away: number }
  | { readonly kind: "jump"; readonly ms: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 12, arbitrary: fc.record({ kind: fc.constant("work" as const), ms: fc.integer({ min: 1, max: 20_000 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("kill" as const), away: fc.integer({ min: 0, max: 3 * length }) })
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("jump" as const), ms: fc.integer({ min: -3 * length, max: 3 * length }) })
  }
)
const phases = [0, Number.MIN_VALUE, 0.1, 1 / 3, 0.5, 0.999999999, 1 - Number.EPSILON / 2]

describe("Schedule", () => {
  it("meets every phase once per interval, despite kills and clock jumps", () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 60 }),
        fc.integer({ min: 1e12, max: 1e12 + 1000 * length }),
        (steps, start) => {
          let wall = start
          /** Time that truly passes, and such as a domain has to put up with: nobody ran, or the clock was set. */
          let real = 0
          let excused = 0
          let stored: number | undefined
          const met = new Map(phases.map((phase) => [phase, [{ real: 0, excused: 0, repeated: false }]]))
          let repeats = false
          const turn = (ms: number, isKilled = false) => {
            wall += ms
            real += ms
            const window = windowOf(7, stored ?? wall - ms, wall, length, Math.max(catchUp * ms, 1))
            for (const phase of phases) {
              const times = holds(window.arcs, phase)
              expect(times).toBeLessThanOrEqual(1)
              if (times === 1) met.get(phase)!.push({ real, excused, repeated: repeats })
            }
            // Killed before it was written down: the window comes again.
            if (isKilled) repeats = true
            else {
              stored = window.until
              expect(wall - stored).toBeLessThanOrEqual(length)
            }
          }
          const pass = (ms: number) => {
            for (let left = ms; left > 0; left -= 2_000) turn(Math.min(2_000, left))
          }
          for (const each of steps) {
            if (each.kind === "work") pass(each.ms)
            else if (each.kind === "kill") {
              turn(1_000, true)
              wall += each.away
              real += each.away
              excused += each.away
            } else {
              wall += each.ms
              excused += Math.abs(each.ms)
              repeats = true
            }
          }
          pass(2 * length)
          for (const times of met.values()) {
            expect(times.length).toBeGreaterThan(1)
            times.slice(1).forEach((time, at) => {
              const since = times[at]!
              // A little for the rounds of two seconds themselves, and for a clock that stands within the skew.
              expect(time.real - since.real).toBeLessThanOrEqual(
                length + 2 * (time.excused - since.excused) + skew + 8_000
              )
              if (!time.repeated && at > 0 && time.excused === since.excused)
                expect(time.real - since.real).toBeGreaterThan(length - 4_000)
            })
          }
        }
      ),
      { numRuns: 100 }
    )
  })

  it("puts every phase into exactly one of two adjacent windows", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1e12, max: 2e12 }),
        fc.array(fc.integer({ min: 1, max: length }), { minLength: 1, maxLength: 20 }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (start, parts, phase) => {
          let until = start
          let times = 0
          let passed = 0
          for (const part of parts) {
            const window = windowOf(5, until, until + part, length, length)
            times += holds(window.arcs, phase)
            passed += part
            until = window.until
          }
          expect(times).toBeGreaterThanOrEqual(Math.floor(passed / length))
          expect(times).toBeLessThanOrEqual(Math.ceil(passed / length) + 1)
        }
      )
    )
  })

  it("catches up at most one interval, at a limited speed, and stays in order when it is too slow", () => {
    const now = 1_800_000_123_456
    expect(windowOf(5, undefined, now, length, 8_000)).toEqual({ every: 5, until: now, arcs: [] })
    expect(windowOf(5, now - 1_000, now, length, 8_000).until).toBe(now)
    expect(windowOf(5, now - 100_000, now, length, 8_000).until).toBe(now - 92_000)
    // A day away: the same place in the circle, within the last interval.
    expect(windowOf(5, now - 86_400_000 - 123_000, now, length, 8_000).until).toBe(now - 115_000)
    // Set back by an hour, and by what two machines may differ.
    expect(windowOf(5, now + 3_600_000, now, length, 8_000)).toEqual({ every: 5, until: now, arcs: [] })
    expect(windowOf(5, now + 1_000, now, length, 8_000)).toEqual({ every: 5, until: now + 1_000, arcs: [] })
    // A whole circle.
    expect(windowOf(5, now - length, now, length, length).arcs).toHaveLength(2)
  })
})

describe("Rounds", () => {
  const places = (until: number) => new Map([[5, until]])
  it("counts a round as complete when it and all earlier rounds are complete", () => {
    const rounds = new Rounds()
    const first = rounds.begin(places(1))
    const slow = first.look()
    first.all()
    const second = rounds.begin(places(2))
    const quick = second.look()
    second.all()
    quick()
    expect(rounds.takeDone()).toBeUndefined()
    slow()
    expect(rounds.takeDone()).toEqual(places(2))
    expect(rounds.takeDone()).toBeUndefined()
    // One that is still being read has looks to come.
    const third = rounds.begin(places(3))
    third.look()()
    expect(rounds.takeDone()).toBeUndefined()
    third.all()
    expect(rounds.takeDone()).toEqual(places(3))
  })
})
