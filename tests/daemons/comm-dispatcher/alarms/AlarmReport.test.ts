import {
  acknowledgedLines,
  changes,
  listLines,
  runLines,
  subjectMistake
} from "#daemons/comm-dispatcher/alarms/AlarmReport.ts"
import { workflowLines, workflowRunLines } from "#daemons/comm-dispatcher/workflows/WorkflowReport.ts"
import { parse } from "#daemons/comm-dispatcher/alarms/subject/AlarmSubject.ts"
import type { RunView, TargetView } from "#daemons/comm-dispatcher/runs/RunViews.ts"
import { Result } from "effect"
import { expect, it } from "vitest"

const at = "2026-01-01T00:00:00.000Z"
const target = (more: Partial<TargetView>): TargetView =>
  ({
    channel: "webhook",
    target: "http://x/",
    state: "pending",
    reason: null,
    due_at: null,
    possible_second: false,
    attempts: [],
    ...more
  }) as TargetView
const run = (more: Partial<RunView>): RunView =>
  ({
    workflow: "alarm",
    state: "running",
    reason: null,
    steps: [{ name: "email.parse_subject", state: "done", at }],
    targets: [target({})],
    ...more
  }) as RunView

it("tells everything at first, then only what changed", () => {
  const first = run({})
  expect(changes(undefined, first)).toEqual(["email.parse_subject: done", "  webhook http://x/: pending"])
  expect(changes(first, first)).toEqual([])
  const failed = { number: 1, state: "failed", started_at: at, finished_at: at, detail: "status 503" } as const
  const again = run({ targets: [target({ attempts: [failed], due_at: at })] })
  expect(changes(first, again)).toEqual([`  webhook http://x/: pending (attempt 1, status 503, again at ${at})`])
  const end = run({
    state: "failed",
    targets: [target({ state: "failed", attempts: [failed, { ...failed, number: 2 }] })]
  })
  expect(changes(again, end)).toEqual(["  webhook http://x/: failed (attempt 2, status 503)", "run: failed"])
})

it("shows who acknowledged, and which target stands in for another", () => {
  const lines = runLines(
    run({
      id: "1",
      subject: "s",
      sender: "f",
      source: { kind: "api" },
      received_at: at,
      finished_at: null,
      acknowledged_at: at,
      acknowledged_by: "user:12: on it",
      targets: [target({ fallback_of: null }), target({ channel: "messenger", target: "1", fallback_of: 0 })]
    })
  )
  expect(lines).toContain(`acknowledged  ${at} by user:12: on it`)
  expect(lines).toEqual(expect.arrayContaining(["webhook http://x/: pending", "  else messenger 1: pending"]))
  const acknowledged = { id: "1", state: "running", acknowledged_at: at, acknowledged_by: "x", suppressed: 1 } as const
  expect(acknowledgedLines(acknowledged)).toEqual([
    `Alarm 1 is acknowledged since ${at} by x; 1 target stopped, state running.`
  ])
  expect(listLines([], "failed")).toEqual(["No alarm is failed."])
})

it("puts the caret under the mistake, however long the subject", () => {
  for (const subject of ["CRITICAL:WEBHOK+http://x/", `INFO:WEBHOOK+http://x/${"a".repeat(300)};CALL+12`]) {
    const parsed = parse(subject)
    if (Result.isSuccess(parsed)) throw new Error("should not parse")
    const [, shown, caret] = subjectMistake(subject, parsed.failure).split("\n")
    expect(subject.startsWith(shown!.slice(caret!.indexOf("^")), parsed.failure.position)).toBe(true)
    expect(shown!.length).toBeLessThan(130)
  }
})

it("lists workflows and runs of any of them, and shows one that an event began", () => {
  const view = {
    name: "bans-added",
    title: "Tell of bans",
    pattern: "security.ban.added",
    steps: ["one"],
    counts: { done: 2, failed: 1 }
  }
  expect(workflowLines([view])[1]).toMatch(/^bans-added +security\.ban\.added +2 done, 1 failed +Tell of bans$/)
  const begun = run({
    id: "1",
    workflow: "bans-added",
    state: "done",
    subject: "192.0.2.1 by\nsip",
    sender: "mail-admin",
    source: { kind: "event", event_id: "12" },
    received_at: at,
    finished_at: at,
    acknowledged_at: null,
    targets: []
  })
  expect(workflowRunLines([begun])[1]).toMatch(/bans-added +done +1 +192\.0\.2\.1 by sip$/)
  expect(workflowRunLines([])).toEqual(["No runs yet."])
  const lines = runLines(begun)
  expect(lines).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^workflow +bans-added$/),
      expect.stringMatching(/^source +event 12$/)
    ])
  )
})
