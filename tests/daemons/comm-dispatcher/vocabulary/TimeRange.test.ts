import { assert, it } from "@effect/vitest"
import { bucketStarts, timeRangeOf } from "#daemons/comm-dispatcher/vocabulary/TimeRange.ts"

const now = Date.parse("2030-01-02T00:00:00Z")

it("is the last day in 48 buckets, where nothing is said", () => {
  const range = timeRangeOf({}, now)
  assert.deepStrictEqual(range, { since: now - 86_400_000, until: now, buckets: 48 })
  if (typeof range === "string") return
  const starts = bucketStarts(range)
  assert.deepStrictEqual(
    [starts.length, starts[0], starts[1], starts[47]],
    [48, "2030-01-01T00:00:00.000Z", "2030-01-01T00:30:00.000Z", "2030-01-01T23:30:00.000Z"]
  )
})

it("has a beginning before its end, and a bound", () => {
  const until = "2030-01-01T00:00:00Z"
  assert.strictEqual(timeRangeOf({ since: until, until }, now), "must be before until")
  assert.match(String(timeRangeOf({ since: "2029-09-30T23:59:59Z", until }, now)), /within 92 days/)
  assert.isObject(timeRangeOf({ since: "2029-10-01T00:00:00Z", until }, now))
})
