import { dedicated, judge, needed, operators, perProcess } from "#core/sql/ConnectionBudget.ts"
import { expect, it } from "vitest"

it("counts seven connections per process, the call lock, and a reserve for operators", () => {
  expect(perProcess).toEqual({ jobs: 2, sql: 3, cluster: 1, listener: 1 })
  expect(needed(1)).toBe(7 + dedicated + operators)
  expect(needed(18)).toBe(18 * 7 + dedicated + operators)
})

it.each([
  [97, 2, 0, "enough"],
  [97, 9, 0, "enough"],
  [97, 9, 50, "tight"],
  [119, 9, 50, "enough"],
  [118, 9, 50, "tight"],
  [63, 1, 50, "enough"],
  [13, 18, 50, "tight"],
  [12, 1, 0, "short"]
] as const)("%i available, %i daemons, %i of the mail server: %s", (available, daemons, mail, verdict) => {
  expect(judge(available, daemons, mail).verdict).toBe(verdict)
})
