/** Which messages are due: grouped, repeated, kept back. */
import fc from "fast-check"
import { expect, it } from "vitest"
import type { Incident } from "#daemons/watchdog/alerting/Incident.ts"
import { type MessageRules, plan } from "#daemons/watchdog/alerting/MessagePlan.ts"
import { noQuiet, type Quiet } from "#daemons/watchdog/alerting/Quiet.ts"
import { incident, minute, rules } from "./Incidents.ts"

interface Told {
  readonly at: number
  readonly kind: string
  readonly ids: ReadonlyArray<string>
}

/** Life of incidents: rounds at `times`, each with what is open by then. */
const lives = (
  incidents: ReadonlyArray<Incident>,
  times: ReadonlyArray<number>,
  { quiet = noQuiet, with: used = rules }: { readonly quiet?: Quiet; readonly with?: MessageRules } = {}
) => {
  const state = new Map<string, Incident>()
  const told: Array<Told> = []
  for (const now of times) {
    const seen = incidents
      .filter(({ openedAt }) => openedAt <= now)
      .map((one) => {
        const ended = one.closedAt !== null && one.closedAt <= now
        const closing = ended ? { closedAt: one.closedAt, closeReason: one.closeReason } : {}
        return { ...one, closedAt: null, closeReason: null, ...state.get(one.id), ...closing }
      })
    const due = plan(
      seen.filter(({ settled }) => !settled),
      used,
      quiet,
      now
    )
    for (const one of [...due.settled, ...due.messages.flatMap(({ incidents }) => incidents)]) state.set(one.id, one)
    told.push(...due.messages.map(({ incidents, kind }) => ({ at: now, kind, ids: incidents.map(({ id }) => id) })))
  }
  return told
}

const every = (step: number, until: number) => Array.from({ length: until / step + 1 }, (_, index) => index * step)
const kinds = (told: ReadonlyArray<Told>) => told.map(({ at, ids, kind }) => [kind, at / minute, ids.length])

it("a host that goes down with forty alerts is one message, and one when it is back", () => {
  const all = Array.from({ length: 40 }, (_, index) =>
    incident({
      id: `check ${index}`,
      openedAt: index * 500,
      closedAt: 20 * minute + index * 500,
      closeReason: "recovered"
    })
  )
  expect(kinds(lives(all, every(5_000, 40 * minute)))).toEqual([
    ["opened", 0.5, 40],
    ["recovered", 20.5, 40]
  ])
})

it("what follows in a group of which people know waits for the pause, unless it is the first critical one", () => {
  const first = incident({ id: "a", severity: "warning" })
  const later = incident({ id: "b", severity: "warning", openedAt: minute })
  const worse = incident({ id: "c", severity: "critical", openedAt: 2 * minute })
  expect(kinds(lives([first, later], every(30_000, 20 * minute)))).toEqual([
    ["opened", 0.5, 1],
    ["opened", 5.5, 1]
  ])
  expect(kinds(lives([first, later, worse], every(30_000, 20 * minute)))).toEqual([
    ["opened", 0.5, 1],
    ["opened", 2.5, 2]
  ])
})

it("groups do not wait for each other", () => {
  const all = [incident({ id: "a" }), incident({ id: "b", group: "host b", openedAt: minute })]
  expect(kinds(lives(all, every(30_000, 10 * minute)))).toEqual([
    ["opened", 0.5, 1],
    ["opened", 1.5, 1]
  ])
})

it("an incident that ends while it is gathered is told to nobody", () => {
  const short = incident({ id: "a", closedAt: 10_000, closeReason: "recovered" })
  expect(lives([short], every(5_000, 5 * minute))).toEqual([])
})

it("is repeated after the pauses of its severity, in one message for its group, and not once acknowledged", () => {
  const all = [incident({ id: "a" }), incident({ id: "b" }), incident({ id: "w", severity: "warning" })]
  expect(kinds(lives(all, every(30_000, 600 * minute)))).toEqual([
    ["opened", 0.5, 3],
    ["repeated", 60.5, 2],
    ["repeated", 300.5, 2],
    ["repeated", 540.5, 2]
  ])
  const acknowledged = [incident({ id: "a", acknowledgedAt: 5 * minute })]
  expect(kinds(lives(acknowledged, every(30_000, 600 * minute)))).toEqual([["opened", 0.5, 1]])
})

it("what waits for the pause is told with a repeat, however often the group is repeated", () => {
  const first = incident({ id: "a" })
  const later = [56, 57].map((at) => incident({ id: `at ${at}`, severity: "warning", openedAt: at * minute }))
  expect(kinds(lives([first, ...later], every(30_000, 70 * minute)))).toEqual([
    ["opened", 0.5, 1],
    ["opened", 56.5, 1],
    ["opened", 60.5, 1],
    ["repeated", 60.5, 1]
  ])
  // Repeats that follow each other faster than the pause ends.
  const often = { ...rules, repeat: { ...rules.repeat, critical: [2 * minute] } }
  const warning = incident({ id: "b", severity: "warning", openedAt: minute })
  expect(kinds(lives([first, warning], every(30_000, 4 * minute), { with: often }))).toEqual([
    ["opened", 0.5, 1],
    ["opened", 2.5, 1],
    ["repeated", 2.5, 1]
  ])
})

it("silenced alerts are told when the silence ends, and maintenance is a silence for its components", () => {
  const silence = { id: "s", keyPattern: "disk *", groupPattern: null, startsAt: 0, endsAt: 10 * minute }
  const window = { id: "m", names: ["webmail"], startsAt: 0, endsAt: 20 * minute }
  const quiet = { silences: [silence], maintenance: [window] }
  const disk = incident({ id: "a", key: "disk /var" })
  const service = incident({ id: "b", key: "container webmail", group: "host b" })
  expect(kinds(lives([disk, service], every(30_000, 30 * minute), { quiet }))).toEqual([
    ["opened", 10, 1],
    ["opened", 20, 1]
  ])
})

it("a clock that is set back an hour delays no opening, and repeats nothing at once", () => {
  const opened = incident({ id: "a", openedAt: 60 * minute })
  expect(plan([opened], rules, noQuiet, 0).messages.map(({ kind }) => kind)).toEqual(["opened"])
  const known = incident({ id: "a", toldAt: 60 * minute, lastToldAt: 60 * minute })
  expect(plan([known], rules, noQuiet, 0).messages).toEqual([])
})

const arbitrary = fc
  .array(
    fc.record({
      group: fc.constantFrom("host a", "host b"),
      severity: fc.constantFrom("warning" as const, "critical" as const),
      flapping: fc.boolean(),
      openedAt: fc.integer({ min: 0, max: 120 }),
      length: fc.option(fc.integer({ min: 0, max: 120 }))
    }),
    { maxLength: 30 }
  )
  .map((all) =>
    all.map(({ length, openedAt, ...one }, index) =>
      incident({
        ...one,
        id: `i${index}`,
        openedAt: openedAt * minute,
        ...(length === null ? {} : { closedAt: (openedAt + length) * minute, closeReason: "recovered" as const })
      })
    )
  )

it("over any life: opened at most once, its end once and only then, and all that stays open is told in time", () => {
  fc.assert(
    fc.property(arbitrary, fc.integer({ min: 1, max: 12 }), (incidents, step) => {
      const round = step * 5_000
      const end = 300 * minute
      const told = lives(incidents, every(round, end))
      const ofKind = (id: string, wanted: ReadonlyArray<string>) =>
        told.filter(({ ids, kind }) => wanted.includes(kind) && ids.includes(id))
      for (const { closedAt, id, openedAt } of incidents) {
        const openings = ofKind(id, ["opened", "flapping"])
        const ends = ofKind(id, ["recovered"])
        expect(openings.length).toBeLessThanOrEqual(1)
        expect(ends).toHaveLength(closedAt === null ? 0 : openings.length)
        if (closedAt === null || closedAt > openedAt + rules.groupInterval + rules.gather + 2 * round)
          expect(openings[0]?.at).toBeLessThanOrEqual(openedAt + rules.groupInterval + rules.gather + round)
        if (ends.length > 0) expect(ends[0]!.at).toBeGreaterThanOrEqual(closedAt!)
      }
      // A message of a kind has each alert once, and a group never gets two of a kind at one time.
      for (const { ids } of told) expect(new Set(ids).size).toBe(ids.length)
    }),
    {
      numRuns: 60,
      examples: [
        // The repeat of the first one falls into the pause after the second one.
        [
          [
            incident({ id: "i0", group: "host b" }),
            incident({ id: "i1", group: "host b", severity: "warning", openedAt: 56 * minute }),
            incident({ id: "i2", group: "host b", severity: "warning", openedAt: 57 * minute })
          ],
          1
        ]
      ]
    }
  )
})
