import { dedicated, judge, needed, operators, perProcess } from "#core/sql/ConnectionBudget.ts"
import { expect, it } from "vitest"

it("counts seven connections per process, the call lock, and a reserve for operators", () => {
  expect(perProcess).toEqual({ jobs: 2, sql: 3, cluster: 1, listener: 1 })
  expect(needed(1)).toBe(7 + dedicated + operators)
  expect(needed(18)).toBe(18 * 7 + dedicated + operators)
})

it.each([
  [100, 3, 2, "enough"],
  [100, 3, 18, "tight"],
  [135, 3, 18, "enough"],
  [134, 3, 18, "tight"],
  [16, 3, 18, "tight"],
  [15, 3, 1, "short"],
  [20, 10, 0, "short"]
] as const)("max_connections %i, %i reserved, %i daemons: %s", (max_connections, reserved, daemons, verdict) => {
  expect(judge({ max_connections, reserved }, daemons).verdict).toBe(verdict)
})
