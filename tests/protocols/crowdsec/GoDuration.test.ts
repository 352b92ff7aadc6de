import { expect, it } from "vitest"
import { goSeconds, parseGoDuration } from "#protocols/crowdsec/GoDuration.ts"

it.each([
  ["59m58.70329812s", 3_598_703.298_12],
  ["3h59m57.703294484s", 14_397_703.294_484],
  ["-667.486111ms", -667.486_111],
  ["1h", 3_600_000],
  ["15µs", 0.015],
  ["0", 0],
  ["0s", 0]
])("reads %s", (text, milliseconds) => expect(parseGoDuration(text)).toBeCloseTo(milliseconds, 6))

it.each(["", "1d", "h", "5", "1h ", "--1s", "1e3s", "9".repeat(60) + "h", "NaN"])("refuses %j", (text) =>
  expect(parseGoDuration(text)).toBeUndefined()
)

it("writes whole seconds, rounded up", () =>
  expect([goSeconds(900_000), goSeconds(1), goSeconds(-5)]).toEqual(["900s", "1s", "0s"]))
