import { expect, it } from "vitest"
import { conditionOf, type Snapshot } from "#daemons/watchdog/services/Snapshot.ts"

it.each<readonly [Snapshot["state"], Snapshot["health"], ReturnType<typeof conditionOf>]>([
  ["running", "healthy", "well"],
  ["running", "none", "well"],
  ["running", "starting", "pending"],
  ["running", "unhealthy", "ill"],
  ["starting", "none", "pending"],
  ["starting", "unhealthy", "pending"],
  ["stopped", "none", "ill"],
  ["stopped", "starting", "ill"],
  ["unknown", "none", "pending"]
])("a service that is %s with health %s is %s", (state, health, expected) => {
  expect(conditionOf({ state, health })).toBe(expected)
})
