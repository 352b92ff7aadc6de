/** What reports change of an incident. */
import fc from "fast-check"
import { expect, it } from "vitest"
import { applyReport, calmed, type Incident, nameOf, oneLine } from "#daemons/watchdog/alerting/Incident.ts"
import { incident, minute, report, rules } from "./Incidents.ts"

/** Applies findings in order and returns all incidents. */
const history = (findings: ReadonlyArray<{ readonly failing: boolean; readonly at: number }>) => {
  const all: Array<Incident> = []
  const replace = (one: Incident) => all.splice(-1, 1, one)
  for (const { at, failing } of findings) {
    const last = all.at(-1)
    const open = last?.closedAt === null ? last : undefined
    const calm = open === undefined ? undefined : calmed(open, rules, at)
    if (calm?._tag === "Closed") replace(calm.incident)
    const still = all.at(-1)?.closedAt === null ? all.at(-1) : undefined
    const past = all.filter(({ closedAt }) => closedAt !== null && closedAt > at - rules.flapWindow)
    const change = applyReport(still, past, report(failing, at), rules, `incident ${all.length}`)
    if (change._tag === "Opened") all.push(change.incident)
    else if (change._tag !== "None") replace(change.incident)
  }
  return all
}

it("opens once, changes with its text, and closes once", () => {
  const opened = applyReport(undefined, [], report(true, 5), rules, "one")
  expect(opened).toMatchObject({ _tag: "Opened", incident: { id: "one", openedAt: 5, flapping: false } })
  const open = opened._tag === "None" ? undefined : opened.incident
  expect(applyReport(open, [], report(true, 9), rules, "two")).toEqual({ _tag: "None" })
  expect(applyReport(open, [], report(true, 9, { severity: "critical" }), rules, "two")).toMatchObject({
    _tag: "Changed",
    incident: { id: "one", severity: "critical", openedAt: 5 }
  })
  expect(applyReport(open, [], report(false, 9), rules, "two")).toMatchObject({
    _tag: "Closed",
    incident: { id: "one", closedAt: 9, closeReason: "recovered" }
  })
  expect(applyReport(undefined, [], report(false, 9), rules, "two")).toEqual({ _tag: "None" })
})

it("a clock that was set back does not let an incident end before it began", () => {
  expect(applyReport(incident({ id: "one", openedAt: 100 }), [], report(false, 40), rules, "two")).toMatchObject({
    _tag: "Closed",
    incident: { closedAt: 100 }
  })
})

it("the fifth change within an hour is flapping: one incident until it was quiet for an hour", () => {
  const changes = Array.from({ length: 40 }, (_, index) => ({ failing: index % 2 === 0, at: index * minute }))
  const all = history([...changes, { failing: false, at: 39 * minute + rules.flapWindow }])
  expect(all.map(({ flapping }) => flapping)).toEqual([false, false, true])
  expect(all[2]).toMatchObject({ openedAt: 4 * minute, closedAt: 39 * minute, closeReason: "recovered", changes: 40 })
})

it("five changes in five hours are no flapping", () => {
  const slow = Array.from({ length: 10 }, (_, index) => ({ failing: index % 2 === 0, at: index * 50 * minute }))
  expect(history(slow).some(({ flapping }) => flapping)).toBe(false)
})

it("at any order of findings incidents do not overlap, and at most one is open", () => {
  const finding = fc.record({ failing: fc.boolean(), step: fc.integer({ min: 0, max: 90 * minute }) })
  fc.assert(
    fc.property(fc.array(finding, { maxLength: 60 }), (steps) => {
      let at = 0
      const all = history(steps.map(({ failing, step }) => ({ failing, at: (at += step) })))
      all.forEach((one, index) => {
        expect(one.closedAt === null).toBe(one.closeReason === null)
        if (index < all.length - 1) expect(one.closedAt).toBeLessThanOrEqual(all[index + 1]!.openedAt)
        expect(one.closedAt ?? Infinity).toBeGreaterThanOrEqual(one.openedAt)
      })
      // An hour has at most four changes that are not flapping.
      const plain = all.filter(({ flapping }) => !flapping)
      for (const { openedAt } of plain)
        expect(
          plain.filter((one) => one.openedAt > openedAt - rules.flapWindow && one.openedAt <= openedAt).length
        ).toBeLessThanOrEqual(2)
    })
  )
})

it("hostile texts become one line of bounded length", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 400 }), fc.integer({ min: 1, max: 300 }), (text, maximum) => {
      const line = oneLine(text, maximum)
      expect(line.length).toBeLessThanOrEqual(maximum)
      expect(line).not.toMatch(/[\p{Cc}\u2028\u2029]/u)
      expect(line.isWellFormed()).toBe(true)
    }),
    { numRuns: 50 }
  )
  expect(nameOf("disk\u001b[2J\n/var\u0000")).toBe("disk [2J /var")
})
