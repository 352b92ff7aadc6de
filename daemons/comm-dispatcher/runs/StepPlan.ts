/** Decides the steps of a run, and what follows a try of a step. Pure. The steps in the ledger are the run's state. */
import { Duration } from "effect"
import * as Backoff from "#core/supervision/Backoff.ts"
import type { Step, StepDefinition } from "./Workflow.ts"

/**
 * Maximum number of tries per step. Reason: half a minute with the pauses of `pausing`; longer failures need a person.
 */
export const mostTries = 5

/** Pauses between tries. */
export const pausing = Backoff.polite

/** The steps of a workflow. */
export interface Plan {
  readonly steps: ReadonlyArray<StepDefinition>
}

/** How a step ended. */
export interface StepEnd {
  readonly state: "done" | "failed"
  readonly detail?: string | undefined
  readonly tries?: number | undefined
}

/** Result of a try. */
export type Tried =
  | { readonly _tag: "Done"; readonly detail?: string | undefined }
  | { readonly _tag: "Failed"; readonly reason: string; readonly retry: boolean }

export interface Next {
  readonly steps: ReadonlyArray<Step>
  readonly state: "running" | "done" | "failed"
  /** Reason of a failed run. */
  readonly reason: string | null
  /** Pause before the next try. Unit: milliseconds; undefined: the run has finished. */
  readonly pause: number | undefined
}

/** Initial steps of a run that begins with the step `first`. Default: the first step of the workflow. */
export const begun = ({ steps }: Plan, at: string, first: string = steps[0]!.name): ReadonlyArray<Step> => [
  { name: first, state: "running", at }
]

/** Steps of a run that failed before its first step. */
export const skipped = ({ steps }: Plan, at: string): ReadonlyArray<Step> =>
  steps.map(({ name }) => ({ name, state: "skipped", at }))

/** Index of the running step; undefined: none. */
export const current = (steps: ReadonlyArray<Step>): number | undefined => {
  const place = steps.findIndex(({ state }) => state === "running")
  return place === -1 ? undefined : place
}

/** Ends the running step and begins the next one. After the last step no step is running. */
export const advance = (plan: Plan, steps: ReadonlyArray<Step>, end: StepEnd, at: string): ReadonlyArray<Step> =>
  ending(plan, steps, end, at, ([next]) => (next === undefined ? [] : [{ name: next.name, state: "running", at }]))

/** Ends the running step and with it the run. */
export const stop = (plan: Plan, steps: ReadonlyArray<Step>, end: StepEnd, at: string): ReadonlyArray<Step> =>
  ending(plan, steps, end, at, (later) =>
    later.map(({ always, name }) => ({ name, state: always === true ? "done" : "skipped", at }))
  )

/** The state after a try of the running step. `random`: 0 to 1. */
export const afterwards = (plan: Plan, steps: ReadonlyArray<Step>, tried: Tried, at: string, random: number): Next => {
  const place = current(steps)!
  const { name, tries: earlier = 0 } = steps[place]!
  const tries = earlier + 1
  if (tried._tag === "Done") {
    const moved = advance(
      plan,
      steps,
      { state: "done", detail: tried.detail, tries: tries === 1 ? undefined : tries },
      at
    )
    return current(moved) === undefined
      ? { steps: moved, state: "done", reason: null, pause: undefined }
      : { steps: moved, state: "running", reason: null, pause: 0 }
  }
  if (tried.retry && tries < mostTries) {
    return {
      steps: [...steps.slice(0, place), { name, state: "running", detail: tried.reason, tries, at }],
      state: "running",
      reason: null,
      pause: Duration.toMillis(Backoff.delay(pausing, tries, random))
    }
  }
  return {
    steps: stop(plan, steps, { state: "failed", detail: tried.reason, tries }, at),
    state: "failed",
    reason: tries === 1 ? tried.reason : `${tried.reason} (tried ${tries} times)`,
    pause: undefined
  }
}

/** Replaces the running step by its end, followed by the records of the later steps. */
const ending = (
  plan: Plan,
  steps: ReadonlyArray<Step>,
  { detail, state, tries }: StepEnd,
  at: string,
  following: (later: ReadonlyArray<StepDefinition>) => ReadonlyArray<Step>
): ReadonlyArray<Step> => {
  const place = current(steps)
  if (place === undefined) return steps
  // A direct request has no subject, so its run begins with a later step of the workflow.
  const first = Math.max(
    0,
    plan.steps.findIndex(({ name }) => name === steps[0]!.name)
  )
  const ended: Step = {
    name: steps[place]!.name,
    state,
    ...(detail === undefined ? {} : { detail }),
    ...(tries === undefined ? {} : { tries }),
    at
  }
  return [...steps.slice(0, place), ended, ...following(plan.steps.slice(first + place + 1))]
}
