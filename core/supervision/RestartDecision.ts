/**
 * Decides what happens when an actor ends. Pure.
 *
 * A typed failure is a condition of the environment, such as an unreachable server or a refused login. The actor is
 * restarted without limit, and health shows `degraded`. A defect is a programming error. The actor is restarted too,
 * but more than `restarts` defects within `window` escalate to the daemon.
 */
import { Duration } from "effect"

/** `permanent` always runs; `transient` runs until it succeeds; `temporary` runs once. */
export type RestartPolicy = "permanent" | "transient" | "temporary"

/** How an actor ended. A permanent actor should never end, so its `finished` counts as a defect. */
export type Ending = "finished" | "failed" | "defect"

/** More than `restarts` defects within `window` escalate. */
export interface Intensity {
  readonly restarts: number
  readonly window: Duration.Duration
}

/** Five defects within a minute. Reason: the first pauses add up to 6 s, so a broken actor escalates within seconds. */
export const defaultIntensity: Intensity = { restarts: 5, window: Duration.minutes(1) }

export type Decision =
  | { readonly _tag: "Stop" }
  | { readonly _tag: "Restart"; readonly defects: ReadonlyArray<number> }
  | { readonly _tag: "Escalate" }

/** `defects`: times (ms) of earlier defects still in the window; `now` in ms of the same clock. */
export const decide = (
  policy: RestartPolicy,
  intensity: Intensity,
  defects: ReadonlyArray<number>,
  ending: Ending,
  now: number
): Decision => {
  if (policy === "temporary") return { _tag: "Stop" }
  if (policy === "transient" && ending === "finished") return { _tag: "Stop" }
  if (ending === "failed") return { _tag: "Restart", defects }
  const recent = [...defects.filter((at) => now - at < Duration.toMillis(intensity.window)), now]
  return recent.length > intensity.restarts ? { _tag: "Escalate" } : { _tag: "Restart", defects: recent }
}
