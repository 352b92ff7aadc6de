/** What follows a try at a step of a run. Pure. The steps of a run, as the ledger shows them, are its state. */
import { Duration } from "effect"
import * as Backoff from "#core/supervision/Backoff.ts"
import type { Step } from "../../alarms/Exports.ts"

/** How often a step is tried in all. Reason: with the pauses of `pausing` half a minute; what lasts longer is for a person to see. */
export const mostTries = 5

/** Between two tries. */
export const pausing = Backoff.polite

/** How a try ended. */
export type Tried =
  | { readonly _tag: "Done"; readonly detail?: string | undefined }
  | { readonly _tag: "Failed"; readonly reason: string; readonly retry: boolean }

export interface Next {
  readonly steps: ReadonlyArray<Step>
  readonly state: "running" | "done" | "failed"
  /** Of a run that failed. */
  readonly reason: string | null
  /** Before the next try. Unit: milliseconds; undefined: the run is over. */
  readonly pause: number | undefined
}

/** The steps of a run that begins. */
export const begun = (names: ReadonlyArray<string>, at: string): ReadonlyArray<Step> => [
  { name: names[0]!, state: "running", at }
]

/** The place of the step whose turn it is, among the workflow's; undefined: of none. */
export const current = (steps: ReadonlyArray<Step>): number | undefined => {
  const place = steps.findIndex(({ state }) => state === "running")
  return place === -1 ? undefined : place
}

/** After a try at the current step. `names`: of all steps of the workflow; `random` is 0 to 1. */
export const afterwards = (
  steps: ReadonlyArray<Step>,
  names: ReadonlyArray<string>,
  tried: Tried,
  at: string,
  random: number
): Next => {
  const place = current(steps)!
  const before = steps.slice(0, place)
  const { name, tries: earlier = 0 } = steps[place]!
  const tries = earlier + 1
  if (tried._tag === "Done") {
    const done: Step = {
      name,
      state: "done",
      ...(tried.detail === undefined ? {} : { detail: tried.detail }),
      ...(tries === 1 ? {} : { tries }),
      at
    }
    const following = names[place + 1]
    return following === undefined
      ? { steps: [...before, done], state: "done", reason: null, pause: undefined }
      : {
          steps: [...before, done, { name: following, state: "running", at }],
          state: "running",
          reason: null,
          pause: 0
        }
  }
  if (tried.retry && tries < mostTries) {
    return {
      steps: [...before, { name, state: "running", detail: tried.reason, tries, at }],
      state: "running",
      reason: null,
      pause: Duration.toMillis(Backoff.delay(pausing, tries, random))
    }
  }
  return {
    steps: [
      ...before,
      { name, state: "failed", detail: tried.reason, tries, at },
      ...names.slice(place + 1).map((skipped): Step => ({ name: skipped, state: "skipped", at }))
    ],
    state: "failed",
    reason: tries === 1 ? tried.reason : `${tried.reason} (tried ${tries} times)`,
    pause: undefined
  }
}
