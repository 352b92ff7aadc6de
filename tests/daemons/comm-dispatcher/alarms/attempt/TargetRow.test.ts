import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { initial } from "#daemons/comm-dispatcher/alarms/attempt/RetryPlan.ts"
import { requestOf, type TargetRow } from "#daemons/comm-dispatcher/alarms/attempt/TargetRow.ts"

const row: TargetRow = {
  id: 1,
  run_id: "r",
  tenant_id: 1,
  position: 0,
  chain: 0,
  step: 0,
  has_fallback: false,
  channel: "messenger_voice",
  target: "1",
  options: {},
  record: initial(0),
  idempotency_key: "k",
  event_type: "email.alarm.received",
  severity: "ALERT",
  malformed: false,
  subject: "Gas alarm",
  body: "Gas",
  sender: "a@ok.test",
  reason: null,
  mode: "parallel",
  retry: null,
  admit: null,
  received_at: new Date(0)
}

const titleOf = (more: Partial<TargetRow>) => requestOf({ ...row, ...more }, row.record, () => Effect.void).title

it("takes the subject as title", () => {
  assert.strictEqual(titleOf({}), "Gas alarm")
})

it("keeps the targets of an alarm subject, and secrets in their addresses, out of the title", () => {
  assert.strictEqual(titleOf({ subject: "ALERT:MESSENGER_VOICE+1;WEBHOOK+https://example.org/?key=hunter2" }), "Gas")
})
