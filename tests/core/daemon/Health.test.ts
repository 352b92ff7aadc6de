import { expect, it } from "@effect/vitest"
import { type Component, shown, verdict, type Verdict, worst } from "#core/daemon/Health.ts"
import type { ActorStatus } from "#core/supervision/Supervisor.ts"

const actor = (state: ActorStatus["state"], stalled = false): ActorStatus => ({
  name: "a",
  state,
  since: "",
  restarts: 0,
  placed: false,
  note: undefined,
  last_failure: undefined,
  last_progress: undefined,
  stalled
})
const part = (status: Component["status"]) => ({ part: { status } })

it.each<readonly [string, Record<string, Component>, ReadonlyArray<ActorStatus>, number, Verdict]>([
  ["nothing", {}, [], 0, "ok"],
  ["all well", part("ok"), [actor("running"), actor("elsewhere"), actor("stopped")], 200, "ok"],
  ["a part not configured", part("unconfigured"), [], 0, "ok"],
  ["a part degraded", part("degraded"), [], 0, "degraded"],
  ["an actor waiting", {}, [actor("running"), actor("waiting")], 0, "degraded"],
  ["an actor stalled", {}, [actor("running", true)], 0, "degraded"],
  ["a slow event loop", {}, [], 201, "degraded"],
  ["a part down", part("down"), [], 0, "down"],
  ["an actor that escalated", {}, [actor("escalated")], 0, "down"],
  ["down rather than degraded", { ...part("down"), other: { status: "degraded" } }, [actor("waiting")], 999, "down"]
])("%s", (_name, components, actors, delay, expected) => {
  expect(verdict(components, actors, delay)).toBe(expected)
})

it("shows only some degraded parts of many", () => {
  const crowd = (state: ActorStatus["state"], index: number) => ({
    ...actor(state),
    name: `${index}`,
    crowd: true as const
  })
  const many = Array.from({ length: 50 }, (_, index) => crowd(index % 2 === 0 ? "running" : "waiting", index))
  expect(shown([...many, actor("running")]).map(({ name, state }) => [name, state])).toEqual([
    ["a", "running"],
    ...Array.from({ length: 20 }, (_, index) => [`${index * 2 + 1}`, "waiting"])
  ])
})

it("the worst status of several is the overall status", () => {
  expect(worst([])).toBe("ok")
  expect(worst(["ok", "degraded"])).toBe("degraded")
  expect(worst(["degraded", "down", "ok"])).toBe("down")
})
