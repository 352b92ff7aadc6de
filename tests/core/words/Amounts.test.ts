import { expect, it } from "vitest"
import { durationText, sizeText } from "#core/words/Amounts.ts"

it("says sizes and durations in units that fit, with the numbers of the language", () => {
  expect([0, 999, 1000, 1_540_000, 2.5e15].map((count) => sizeText(count))).toEqual([
    "0 B",
    "999 B",
    "1.0 kB",
    "1.5 MB",
    "2,500.0 TB"
  ])
  expect([sizeText(1_540_000, "de"), durationText(840, "de")]).toEqual(["1,5 MB", "0,8 s"])
  expect([840, 63_000, 7_500_000].map((time) => durationText(time))).toEqual(["0.8 s", "1 min 3 s", "2 h 5 min"])
})
