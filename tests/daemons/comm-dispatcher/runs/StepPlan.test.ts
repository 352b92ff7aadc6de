import { assert, it } from "@effect/vitest"
import * as StepPlan from "#daemons/comm-dispatcher/runs/StepPlan.ts"

const plan = { steps: [{ name: "one" }, { name: "two" }, { name: "three" }] }
/** A workflow with a step that always runs, as alarms have. */
const logged = { steps: [{ name: "one" }, { name: "two" }, { name: "log", always: true }] }
const at = "2030-01-01T00:00:00.000Z"
const failed = { _tag: "Failed", reason: "no answer", retry: true } as const

it("goes from step to step and is done behind the last", () => {
  const first = StepPlan.afterwards(plan, StepPlan.begun(plan, at), { _tag: "Done", detail: "well" }, at, 0.5)
  assert.deepStrictEqual(first, {
    steps: [
      { name: "one", state: "done", detail: "well", at },
      { name: "two", state: "running", at }
    ],
    state: "running",
    reason: null,
    pause: 0
  })
  const second = StepPlan.afterwards(plan, first.steps, { _tag: "Done" }, at, 0.5)
  const third = StepPlan.afterwards(plan, second.steps, { _tag: "Done" }, at, 0.5)
  assert.deepStrictEqual(
    [third.state, third.pause, third.steps.map(({ state }) => state)],
    ["done", undefined, ["done", "done", "done"]]
  )
  assert.isUndefined(StepPlan.current(third.steps))
})

it("tries a step again with growing pauses, then fails for good, says why and skips the rest", () => {
  let next: StepPlan.Next = StepPlan.afterwards(plan, StepPlan.begun(plan, at), { _tag: "Done" }, at, 0.5)
  const pauses: Array<number | undefined> = []
  while (next.state === "running" && pauses.length < 20) {
    next = StepPlan.afterwards(plan, next.steps, failed, at, 0.5)
    pauses.push(next.pause)
  }
  assert.deepStrictEqual(pauses, [2_000, 4_000, 8_000, 16_000, undefined])
  assert.deepStrictEqual([next.state, next.reason], ["failed", "no answer (tried 5 times)"])
  assert.deepStrictEqual(
    next.steps.map(({ state, tries }) => [state, tries]),
    [
      ["done", undefined],
      ["failed", 5],
      ["skipped", undefined]
    ]
  )
})

it("a step that was tried again and then succeeded counts its tries, and the next begins anew", () => {
  const once = StepPlan.afterwards(plan, StepPlan.begun(plan, at), failed, at, 0.5)
  assert.deepStrictEqual(once.steps, [{ name: "one", state: "running", detail: "no answer", tries: 1, at }])
  const { steps } = StepPlan.afterwards(plan, once.steps, { _tag: "Done" }, at, 0.5)
  assert.deepStrictEqual(steps, [
    { name: "one", state: "done", tries: 2, at },
    { name: "two", state: "running", at }
  ])
})

it("what trying again cannot help fails at once", () => {
  const next = StepPlan.afterwards(plan, StepPlan.begun(plan, at), { ...failed, retry: false }, at, 0.5)
  assert.deepStrictEqual([next.state, next.reason, next.pause], ["failed", "no answer", undefined])
})

it("ends a run at a step: later steps are skipped, except those that always run", () => {
  const stopped = StepPlan.stop(logged, StepPlan.begun(logged, at), { state: "failed", detail: "unreadable" }, at)
  assert.deepStrictEqual(stopped, [
    { name: "one", state: "failed", detail: "unreadable", at },
    { name: "two", state: "skipped", at },
    { name: "log", state: "done", at }
  ])
})

it("continues after a failed step when it advances", () => {
  const moved = StepPlan.advance(logged, StepPlan.begun(logged, at), { state: "failed", detail: "unreadable" }, at)
  assert.deepStrictEqual(moved, [
    { name: "one", state: "failed", detail: "unreadable", at },
    { name: "two", state: "running", at }
  ])
  assert.deepStrictEqual(
    StepPlan.stop(logged, moved, { state: "done" }, at).map(({ name, state }) => [name, state]),
    [
      ["one", "failed"],
      ["two", "done"],
      ["log", "done"]
    ]
  )
})

it("a run that begins with a later step has no record of the earlier steps", () => {
  const steps = StepPlan.begun(logged, at, "two")
  assert.deepStrictEqual(StepPlan.stop(logged, steps, { state: "done", detail: "1 of 1" }, at), [
    { name: "two", state: "done", detail: "1 of 1", at },
    { name: "log", state: "done", at }
  ])
})

it("the steps of a run that has ended do not change", () => {
  const ended = StepPlan.stop(logged, StepPlan.begun(logged, at), { state: "done" }, at)
  assert.deepStrictEqual(StepPlan.stop(logged, ended, { state: "failed" }, "later"), ended)
  assert.deepStrictEqual(StepPlan.advance(logged, ended, { state: "done" }, "later"), ended)
})
