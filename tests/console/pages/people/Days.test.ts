import { expect, it } from "vitest"
import { endOf, startOf } from "../../../../console/pages/audit/Days.ts"

it("makes times of local days, and none of other texts", () => {
  expect(startOf("2026-02-28")).toBe(new Date(2026, 1, 28).toISOString())
  expect(endOf("2026-02-28")).toBe(new Date(2026, 2, 1).toISOString())
  expect(endOf("2026-12-31")).toBe(new Date(2027, 0, 1).toISOString())
  for (const text of ["", "yesterday", "2026-1-1", "2026-02-28T00:00"]) expect(startOf(text)).toBeUndefined()
})
