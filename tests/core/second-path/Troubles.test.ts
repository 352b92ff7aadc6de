import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as Troubles from "#core/second-path/Troubles.ts"

const minute = 60_000
const rules = Troubles.rulesOf(minute)
const limit = 10 * minute

const trouble = (key: string, since: number, more: Partial<Troubles.Trouble> = {}): Troubles.Trouble => ({
  key,
  watch: "test",
  since,
  after: limit,
  what: `${key} is wrong`,
  advice: "mend it",
  ...more
})

const report = (...troubles: ReadonlyArray<Troubles.Trouble>): Troubles.Report => ({ watch: "test", troubles })

/** Runs a watch with its sender over time. Returns the notices with their times. Every mail succeeds. */
const over = (
  steps: ReadonlyArray<{ readonly at: number; readonly reports: ReadonlyArray<Troubles.Report> }>,
  start = Troubles.empty
) => {
  let state = start
  const notices: Array<Troubles.Notice & { readonly at: number }> = []
  for (const { at, reports } of steps) {
    const decided = Troubles.decide(state, reports, at, rules)
    state = decided.notices.length === 0 ? decided.state : Troubles.told(decided.state, decided.notices, at)
    notices.push(...decided.notices.map((notice) => ({ ...notice, at })))
  }
  return { state, notices }
}

const minutes = (from: number, to: number, ...troubles: ReadonlyArray<Troubles.Trouble>) =>
  Array.from({ length: to - from + 1 }, (_, n) => ({ at: (from + n) * minute, reports: [report(...troubles)] }))

const kinds = (notices: ReadonlyArray<Troubles.Notice & { readonly at: number }>) =>
  notices.map(({ at, kind }) => `${kind} ${at / minute}`)

describe("a lasting trouble", () => {
  it("is announced at its limit, repeated at the interval, and resolved once after the settling time", () => {
    const { notices } = over([...minutes(0, 500, trouble("a", 0)), ...minutes(501, 520)])
    expect(kinds(notices)).toEqual(["new 10", "still 250", "still 490", "over 506"])
  })

  it("that ends before its limit is never announced", () => {
    expect(over([...minutes(0, 9, trouble("a", 0)), ...minutes(10, 60)]).notices).toEqual([])
  })

  it("that flaps is one trouble: a gap shorter than the settling time is none", () => {
    const steps = Array.from({ length: 60 }, (_, n) => ({
      at: n * minute,
      reports: [n % 4 === 3 && n > 10 ? report() : report(trouble("a", n > 11 ? n * minute : 0))]
    }))
    const { notices, state } = over(steps)
    expect(kinds(notices)).toEqual(["new 10"])
    expect(state.causes.get("a")?.trouble.since).toBe(0)
  })

  it("continues without a report; only a report of its watch ends it", () => {
    const { notices } = over([
      ...minutes(0, 10, trouble("a", 0)),
      ...minutes(11, 30).map(({ at }) => ({ at, reports: [{ watch: "other", troubles: [] }] }))
    ])
    expect(kinds(notices)).toEqual(["new 10"])
  })
})

describe("a single occurrence", () => {
  it("is announced at once, one time, without an end", () => {
    const { notices } = over([...minutes(1, 60, trouble("b", minute, { after: 0, once: true })), ...minutes(61, 120)])
    expect(kinds(notices)).toEqual(["new 1"])
  })

  it("waits until it can be announced, also when its watch no longer reports it", () => {
    const first = Troubles.decide(Troubles.empty, [report(trouble("b", 0, { after: 0, once: true }))], 0, rules)
    expect(Troubles.decide(first.state, [report()], minute, rules).notices.map(({ trouble }) => trouble.key)).toEqual([
      "b"
    ])
  })

  it("replaces the lasting trouble that it ends, without a resolution notice", () => {
    const { notices } = over([
      ...minutes(0, 20, trouble("run 1", 0)),
      ...minutes(21, 60, trouble("run 1 failed", 21 * minute, { after: 0, once: true, replaces: "run 1" }))
    ])
    expect(notices.map(({ kind, trouble }) => `${kind} ${trouble.key}`)).toEqual(["new run 1", "new run 1 failed"])
  })
})

it("a follow-up goes only to recipients of the first notice", () => {
  const sequel = trouble("a moved", 0, { after: 0, once: true, replaces: "a", sequel: true })
  const heard = over([...minutes(0, 20, trouble("a", 0)), ...minutes(21, 60, sequel)])
  expect(heard.notices.map(({ kind, trouble }) => `${kind} ${trouble.key}`)).toEqual(["new a", "new a moved"])
  expect(over([...minutes(0, 5, trouble("a", 0)), ...minutes(6, 60, sequel)]).notices).toEqual([])
})

it("a process that leaves notices to another starts none and continues its own", () => {
  const quiet = (...troubles: ReadonlyArray<Troubles.Trouble>): Troubles.Report => ({
    ...report(...troubles),
    onlyKnown: true
  })
  const steps = minutes(0, 10, trouble("a", 0)).concat(
    minutes(11, 40).map(({ at }) => ({ at, reports: [quiet(trouble("a", 0), trouble("b", 0))] })),
    minutes(41, 60).map(({ at }) => ({ at, reports: [quiet(trouble("b", 0))] }))
  )
  expect(over(steps).notices.map(({ at, kind, trouble }) => `${kind} ${trouble.key} ${at / minute}`)).toEqual([
    "new a 10",
    "over a 46"
  ])
})

it("a view that is not complete yet ends nothing and forgets no single occurrence", () => {
  const once = trouble("b", 0, { after: 0, once: true })
  const partly = (...troubles: ReadonlyArray<Troubles.Trouble>): Troubles.Report => ({
    ...report(...troubles),
    partial: true
  })
  const steps = minutes(0, 10, trouble("a", 0), once).concat(
    minutes(11, 30).map(({ at }) => ({ at, reports: [partly(trouble("c", 11 * minute))] })),
    minutes(31, 60, trouble("a", 0), once)
  )
  expect(over(steps).notices.map(({ at, kind, trouble }) => `${kind} ${trouble.key} ${at / minute}`)).toEqual([
    "new b 0",
    "new a 10",
    "new c 21",
    "over c 36"
  ])
})

it("an unannounced trouble passes to the process that announces", () => {
  const steps = minutes(0, 5, trouble("a", 0)).concat(
    minutes(6, 40).map(({ at }) => ({ at, reports: [{ ...report(trouble("a", 0)), onlyKnown: true }] }))
  )
  expect(over(steps).notices).toEqual([])
})

it("many troubles cause few mails, with a pause between", () => {
  const steps = Array.from({ length: 60 }, (_, n) => ({
    at: n * minute,
    reports: [report(...Array.from({ length: n + 1 }, (_, m) => trouble(`run ${m}`, m * minute, { after: 0 })))]
  }))
  const mails = new Set(over(steps).notices.map(({ at }) => at))
  expect(mails.size).toBe(12)
})

it("stores a limited number of causes", () => {
  const many = Array.from({ length: 3 * Troubles.mostCauses }, (_, n) => trouble(`run ${n}`, 0))
  expect(Troubles.decide(Troubles.empty, [report(...many)], 0, rules).state.causes.size).toBe(Troubles.mostCauses)
})

it("a notice with a failed mail is due again with the current state", () => {
  const first = Troubles.decide(Troubles.empty, [report(trouble("a", 0), trouble("b", 0))], limit, rules)
  expect(first.notices).toHaveLength(2)
  expect(
    Troubles.decide(first.state, [report(trouble("b", 0))], limit + minute, rules).notices.map(
      ({ trouble }) => trouble.key
    )
  ).toEqual(["b"])
})

it("a clock that was set back delays no notice permanently", () => {
  const { state } = over(minutes(600, 612, trouble("a", 600 * minute)))
  const later = over(minutes(0, 245, trouble("a", 600 * minute), trouble("b", 0)), state)
  expect(later.notices.map(({ kind, trouble }) => `${kind} ${trouble.key}`)).toEqual(["new b", "still a"])
})

it("for any history, a cause has at most one notice per interval, and one within the limit and a pause", () => {
  // Causes 0 to 3 begin and end in whole minutes. A round may fail to send its mail.
  const step = fc.record({
    wrong: fc.uniqueArray(fc.integer({ min: 0, max: 3 })),
    repeat: fc.integer({ min: 1, max: 30 }),
    mail: fc.boolean()
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), (history) => {
      let state = Troubles.empty
      let now = 0
      const since = new Map<number, number>()
      const toldAt = new Map<string, number>()
      const overAt = new Map<string, number>()
      let lastMail = -Infinity
      /** Time since which every mail has succeeded. */
      let workingSince = 0
      for (const { mail, repeat, wrong } of history) {
        for (let n = 0; n < repeat; n++, now += minute) {
          for (const cause of [0, 1, 2, 3]) if (!wrong.includes(cause)) since.delete(cause)
          for (const cause of wrong) if (!since.has(cause)) since.set(cause, now)
          const decided = Troubles.decide(
            state,
            [report(...wrong.map((cause) => trouble(String(cause), since.get(cause)!)))],
            now,
            rules
          )
          state = decided.state
          if (!mail) {
            workingSince = now + minute
            continue
          }
          if (decided.notices.length > 0) {
            expect(now - lastMail).toBeGreaterThanOrEqual(rules.spacing)
            lastMail = now
            state = Troubles.told(state, decided.notices, now)
          }
          for (const {
            kind,
            trouble: { key }
          } of decided.notices) {
            if (kind === "over") overAt.set(key, now)
            else {
              const last = toldAt.get(key)
              const ended = overAt.get(key)
              // A trouble that begins after its reported end is a new one.
              if (last !== undefined && (ended === undefined || ended < last))
                expect(now - last).toBeGreaterThanOrEqual(rules.remindEvery)
              toldAt.set(key, now)
            }
          }
          for (const [cause, begun] of since) {
            const owed = Math.max(begun + limit, workingSince) + rules.spacing
            if (now >= owed)
              expect(state.causes.get(String(cause))?.toldAt, `cause ${cause} at ${now / minute}`).not.toBeNull()
          }
        }
      }
    }),
    { numRuns: 300 }
  )
})
