import { assert, it } from "@effect/vitest"
import { judge } from "#daemons/comm-dispatcher/alarms/CallStart.ts"

it.each([
  [{ state: "pending", begun: 0, reason: null }, undefined],
  [
    { state: "pending", begun: 0, reason: "the switch is away" },
    { state: "waiting", reason: "the switch is away" }
  ],
  [
    { state: "pending", begun: 1, reason: "busy" },
    { state: "waiting", reason: "busy" }
  ],
  [
    { state: "attempting", begun: 1, reason: null },
    { state: "dialled", reason: null }
  ],
  [
    { state: "uncertain", begun: 1, reason: "?" },
    { state: "dialled", reason: null }
  ],
  [
    { state: "delivered", begun: 1, reason: "heard" },
    { state: "dialled", reason: null }
  ],
  [
    { state: "failed", begun: 1, reason: "unconfigured" },
    { state: "failed", reason: "unconfigured" }
  ],
  [
    { state: "suppressed", begun: 0, reason: "acknowledged" },
    { state: "failed", reason: "acknowledged" }
  ]
] as const)("%j", (started, answer) => {
  assert.deepStrictEqual(judge(started), answer)
})
