import { byUrgency, overdue, placesFor, type Turn } from "#daemons/comm-dispatcher/channels/call/CallTurns.ts"
import { expect, it } from "@effect/vitest"

const turn = (tenantId: number, more: Partial<Turn> = {}): Turn => ({
  gateway: "trunk",
  severity: "WARNING",
  dueAt: 0,
  kind: "request",
  tenantId,
  ...more
})

it("alarm mails go first, then tenants in turn, then by severity and time", () => {
  const mail = turn(1, { kind: "alarm_mail", severity: "INFO", dueAt: 9 })
  const severe = turn(2, { severity: "ALERT" })
  const other = turn(3, { severity: "INFO", dueAt: 5 })
  const later = turn(2, { dueAt: 1 })
  const sorted = (last: ReadonlyArray<readonly [number, number]>) =>
    [later, other, severe, mail].toSorted(byUrgency(new Map(last)))
  expect(sorted([])).toEqual([mail, severe, later, other])
  expect(sorted([[2, 1]])).toEqual([mail, other, severe, later])
  expect(
    sorted([
      [2, 1],
      [3, 2]
    ])
  ).toEqual([mail, severe, later, other])
})

it("only calls that have waited long enough are overdue", () => {
  const [due, young] = [turn(2, { dueAt: 10 }), turn(3, { dueAt: 11 })]
  expect(overdue([young, due], 100, 90)).toEqual([due])
})

it("the last places are reserved, but one is open to all", () => {
  expect(placesFor("alarm_mail", 2, 1)).toBe(2)
  expect(placesFor("alarm", 2, 1)).toBe(1)
  expect(placesFor("request", 4, 1)).toBe(3)
  expect(placesFor("request", 1, 5)).toBe(1)
})
