/**
 * What to do when an actor ends. Pure: the supervisor asks, this answers.
 *
 * A typed failure is a condition of the world (a server away, a refused login): the actor waits and goes again for as
 * long as it takes, and health says degraded. A defect is a mistake in the program: it is tried again too, but more
 * than `restarts` of them within `window` escalate to the daemon.
 */
import { Duration } from "effect"

/** `permanent` always runs; `transient` runs until it ends well; `temporary` runs once. */
export type RestartPolicy = "permanent" | "transient" | "temporary"

/** How an actor ended. `finished` of a permanent actor counts as a defect: it was never to end. */
export type Ending = "finished" | "failed" | "defect"

/** More than `restarts` defects within `window` escalate. */
export interface Intensity {
  readonly restarts: number
  readonly window: Duration.Duration
}

/** Five defects within a minute. Reason: the first waits sum to 6 s, so a broken actor is told within seconds. */
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
