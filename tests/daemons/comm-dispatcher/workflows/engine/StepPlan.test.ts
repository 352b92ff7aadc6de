import { assert, it } from "@effect/vitest"
import * as StepPlan from "#daemons/comm-dispatcher/workflows/engine/StepPlan.ts"

const names = ["one", "two", "three"]
const at = "2030-01-01T00:00:00.000Z"
const failed = { _tag: "Failed", reason: "no answer", retry: true } as const

it("goes from step to step and is done behind the last", () => {
  const first = StepPlan.afterwards(StepPlan.begun(names, at), names, { _tag: "Done", detail: "well" }, at, 0.5)
  assert.deepStrictEqual(first, {
    steps: [
      { name: "one", state: "done", detail: "well", at },
      { name: "two", state: "running", at }
    ],
    state: "running",
    reason: null,
    pause: 0
  })
  const second = StepPlan.afterwards(first.steps, names, { _tag: "Done" }, at, 0.5)
  const third = StepPlan.afterwards(second.steps, names, { _tag: "Done" }, at, 0.5)
  assert.deepStrictEqual(
    [third.state, third.pause, third.steps.map(({ state }) => state)],
    ["done", undefined, ["done", "done", "done"]]
  )
  assert.isUndefined(StepPlan.current(third.steps))
})

it("tries a step again with growing pauses, then fails for good, says why and skips the rest", () => {
  let next: StepPlan.Next = StepPlan.afterwards(StepPlan.begun(names, at), names, { _tag: "Done" }, at, 0.5)
  const pauses: Array<number | undefined> = []
  while (next.state === "running" && pauses.length < 20) {
    next = StepPlan.afterwards(next.steps, names, failed, at, 0.5)
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
  const once = StepPlan.afterwards(StepPlan.begun(names, at), names, failed, at, 0.5)
  assert.deepStrictEqual(once.steps, [{ name: "one", state: "running", detail: "no answer", tries: 1, at }])
  const { steps } = StepPlan.afterwards(once.steps, names, { _tag: "Done" }, at, 0.5)
  assert.deepStrictEqual(steps, [
    { name: "one", state: "done", tries: 2, at },
    { name: "two", state: "running", at }
  ])
})

it("what trying again cannot help fails at once", () => {
  const next = StepPlan.afterwards(StepPlan.begun(names, at), names, { ...failed, retry: false }, at, 0.5)
  assert.deepStrictEqual([next.state, next.reason, next.pause], ["failed", "no answer", undefined])
})
