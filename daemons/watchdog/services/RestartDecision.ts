/**
 * Whether the watchdog restarts a critical service. Pure. A restart loop is worse than a service that stays down: it
 * hides the cause and disturbs whoever repairs it. So restarts have a budget, after which a person is called.
 */

export interface Options {
  /** How long a service must fail before it is restarted. Unit: milliseconds. */
  readonly after: number
  /** How long a restarted service may take to become healthy. Unit: milliseconds. */
  readonly patience: number
  /** Restarts within `window`. */
  readonly budget: number
  /** Unit: milliseconds. */
  readonly window: number
}

/** Times in milliseconds. */
export interface State {
  readonly failingSince: number | null
  /** Restarts by the watchdog, oldest first. */
  readonly restarts: ReadonlyArray<number>
  readonly gaveUpAt: number | null
  /** Restarts that the engine or systemd had counted at the last look. */
  readonly engineRestarts: number | null
}

export const initial: State = { failingSince: null, restarts: [], gaveUpAt: null, engineRestarts: null }

export interface Observation {
  readonly at: number
  /** `pending`: it starts, or its state is not clear. `unknown`: its source does not answer. */
  readonly condition: "well" | "pending" | "ill" | "unknown"
  readonly engineRestarts: number | null
  /** Dependencies that are not well. */
  readonly waitsFor: ReadonlyArray<string>
  /** Monitoring has already waited: restart without `after`. */
  readonly urgent?: boolean
}

export type Action = "none" | "restart" | "give_up" | "recovered"

export interface Decision {
  readonly state: State
  readonly action: Action
}

export const decide = (before: State, seen: Observation, options: Options): Decision => {
  // A clock that jumped back must not block restarts, nor stretch the window.
  const restarts = before.restarts.filter((at) => at > seen.at - options.window && at <= seen.at)
  // A service whose source does not answer is not restarted blindly: the source is what is broken.
  if (seen.condition === "unknown") return { state: { ...before, restarts }, action: "none" }

  const looping =
    seen.engineRestarts !== null && before.engineRestarts !== null && seen.engineRestarts > before.engineRestarts
  const state = { ...before, restarts, engineRestarts: seen.engineRestarts }
  if (seen.condition === "well" && !looping) {
    return {
      state: { ...state, failingSince: null, gaveUpAt: null },
      action: before.gaveUpAt === null ? "none" : "recovered"
    }
  }

  const failingSince = Math.min(before.failingSince ?? seen.at, seen.at)
  const failing: State = { ...state, failingSince }
  const wait: Decision = { state: failing, action: "none" }
  if (before.gaveUpAt !== null || seen.waitsFor.length > 0) return wait
  const last = restarts.at(-1)
  if (last !== undefined && seen.at - last < options.patience) return wait
  const since = Math.max(failingSince, last ?? 0)
  if (seen.condition === "pending" && seen.at - since < options.patience) return wait
  if (seen.urgent !== true && seen.at - failingSince < options.after) return wait
  return restarts.length >= options.budget
    ? { state: { ...failing, gaveUpAt: seen.at }, action: "give_up" }
    : { state: { ...failing, restarts: [...restarts, seen.at] }, action: "restart" }
}
