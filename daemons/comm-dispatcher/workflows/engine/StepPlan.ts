/** Decides what follows a try of a step. Pure. The steps in the ledger are the run's state. */
import { Duration } from "effect"
import * as Backoff from "#core/supervision/Backoff.ts"
import type { Step } from "../../alarms/Exports.ts"

/**
 * Maximum number of tries per step. Reason: half a minute with the pauses of `pausing`; longer failures need a person.
 */
export const mostTries = 5

/** Pauses between tries. */
export const pausing = Backoff.polite

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

/** Initial steps of a run. */
export const begun = (names: ReadonlyArray<string>, at: string): ReadonlyArray<Step> => [
  { name: names[0]!, state: "running", at }
]

/** Index of the running step; undefined: none. */
export const current = (steps: ReadonlyArray<Step>): number | undefined => {
  const place = steps.findIndex(({ state }) => state === "running")
  return place === -1 ? undefined : place
}

/** The state after a try of the current step. `names`: all steps of the workflow; `random`: 0 to 1. */
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
