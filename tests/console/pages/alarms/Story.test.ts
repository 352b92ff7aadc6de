import { assert, describe, it } from "vitest"
import { dueOf, failuresOf, type RunView, storyOf, type Target } from "../../../../console/pages/alarms/Story.ts"
import { canAcknowledge } from "../../../../console/parts/CanAcknowledge.ts"

const at = (second: number) => new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString()

const target = (more: Partial<Target> = {}): Target => ({
  channel: "webhook",
  target: "https://example.org/",
  state: "pending",
  reason: null,
  due_at: null,
  position: 0,
  fallback_of: null,
  options: {},
  possible_second: false,
  attempts: [],
  ...more
})
const failed = { number: 1, state: "failed" as const, started_at: at(2), finished_at: at(3), detail: "503" }

const run = (more: Partial<RunView> = {}): RunView => ({
  id: "1",
  seq: 1,
  workflow: "alarm",
  event_type: "email.alarm.received",
  state: "running",
  reason: null,
  severity: "ALERT",
  subject: "",
  sender: "",
  target_count: 1,
  delivered_count: 0,
  received_at: at(0),
  created_at: at(1),
  finished_at: null,
  acknowledged_at: null,
  acknowledged_by: null,
  acknowledged_name: null,
  title: "",
  body: "",
  mode: "",
  retry: null,
  source: { kind: "api" },
  steps: [{ name: "email.parse_subject", state: "done", at: at(1) }],
  targets: [],
  ...more
})

describe("Story", () => {
  it("tells all in the order in which it happened, what is awaited last", () => {
    const story = storyOf(
      run({
        targets: [
          target({ attempts: [failed, { ...failed, number: 2, started_at: at(6) }], due_at: at(4) }),
          target({ position: 1, state: "delivered", attempts: [{ ...failed, state: "delivered", started_at: at(5) }] })
        ],
        acknowledged_at: at(5.5),
        acknowledged_by: "user:1"
      })
    )
    assert.deepStrictEqual(
      story.map((moment) =>
        moment.kind === "attempt" ? `${moment.target.position}.${moment.attempt.number}` : moment.kind
      ),
      ["received", "step", "0.1", "1.1", "acknowledged", "0.2", "due"]
    )
  })

  it("puts the end behind what ended at the same moment", () => {
    const story = storyOf(
      run({ finished_at: at(2), state: "failed", targets: [target({ state: "failed", attempts: [failed] })] })
    )
    assert.deepStrictEqual(
      story.map(({ kind }) => kind),
      ["received", "step", "attempt", "finished"]
    )
  })

  it("awaits those that go again, not those that were never tried or go no more", () => {
    assert.strictEqual(dueOf(target({ due_at: at(9), attempts: [failed] })), Date.parse(at(9)))
    assert.strictEqual(dueOf(target({ due_at: at(9), attempts: [failed], state: "uncertain" })), Date.parse(at(9)))
    for (const none of [
      target({ due_at: at(9) }),
      target({ attempts: [failed] }),
      target({ due_at: at(9), attempts: [failed], state: "suppressed" })
    ]) {
      assert.strictEqual(dueOf(none), undefined)
    }
  })

  it("lets alarms be taken on once", () => {
    assert.isTrue(canAcknowledge(run()))
    assert.isTrue(canAcknowledge(run({ state: "failed" })))
    for (const more of [
      { acknowledged_at: at(1) },
      { workflow: "bans-added" },
      { state: "rejected" },
      { state: "duplicate" }
    ] as const)
      assert.isFalse(canAcknowledge(run(more)))
  })

  it("names failed steps and targets, not those that are tried again", () => {
    const failures = failuresOf(
      run({
        steps: [{ name: "email.parse_subject", state: "failed", detail: "no colon", at: at(1) }],
        targets: [
          target({ state: "failed", reason: "gave up", attempts: [failed] }),
          target({ position: 1, state: "uncertain", due_at: at(9), attempts: [failed] }),
          target({ position: 2, state: "uncertain", reason: "no answer" }),
          target({ position: 3, state: "delivered" })
        ]
      })
    )
    assert.deepStrictEqual(
      failures.map(({ key, reason, state }) => [key, state, reason]),
      [
        ["step email.parse_subject", "failed", "no colon"],
        ["target 0", "failed", "503"],
        ["target 2", "uncertain", "no answer"]
      ]
    )
  })
})
