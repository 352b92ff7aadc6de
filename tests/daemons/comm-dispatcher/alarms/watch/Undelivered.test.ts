import { assert, it } from "vitest"
import { type FailedRun, troublesOf } from "#daemons/comm-dispatcher/alarms/watch/Undelivered.ts"

const failed: FailedRun = { runId: "r", channels: ["webhook"], severity: "ALERT", at: 0, reason: "cut" }
const what = (run: FailedRun) => troublesOf("alarms", [], [run], 60_000).map((trouble) => trouble.what)

it("says of a target that was sent and not answered that it may not have been delivered", () => {
  assert.deepStrictEqual(what(failed), ["alarm r (ALERT) was not delivered by webhook and is not tried again: cut"])
  assert.deepStrictEqual(what({ ...failed, uncertain: true }), [
    "alarm r (ALERT) may not have been delivered by webhook and is not tried again: cut"
  ])
})
