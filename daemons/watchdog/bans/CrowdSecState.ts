/** What is known about CrowdSec: one row, written by the process that asks CrowdSec, read by all. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { type Component, healthSentence } from "#core/daemon/Health.ts"

export interface CrowdSecState {
  /** Last complete reading of the decisions; null: never. */
  readonly as_of: Date | null
  /** Last complete reading of the alerts; null: never. */
  readonly alerts_at: Date | null
  /** Why the last attempt failed; null: it did not. */
  readonly problem: string | null
  readonly problem_since: Date | null
  /** Whether there are more decisions than are kept. */
  readonly truncated: boolean
}

export const read = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<CrowdSecState>`select as_of, alerts_at, problem, problem_since, truncated
    from watchdog.crowdsec`
  return row!
})

export const failed = Effect.fnUntraced(function* (problem: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`update watchdog.crowdsec set problem = ${problem}, problem_since = coalesce(problem_since, now())`
})

/** The decisions were read. Belongs into the transaction that stores them. */
export const listed = Effect.fnUntraced(function* (truncated: boolean) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`update watchdog.crowdsec set as_of = now(), truncated = ${truncated}`
})

/** Everything was read. */
export const succeeded = Effect.fnUntraced(function* (withAlerts: boolean) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`update watchdog.crowdsec set problem = null, problem_since = null,
    alerts_at = ${withAlerts ? sql`now()` : sql`alerts_at`}`
})

/** State as the API shows it. `stale`: age at which a list counts as old. Unit: milliseconds. Pure. */
export const shown = (state: CrowdSecState | undefined, now: number, stale: number) => {
  if (state === undefined) return { state: "unconfigured", as_of: null, problem: null, truncated: false } as const
  const as_of = state.as_of?.toISOString() ?? null
  const isOld = state.as_of === null || now - state.as_of.getTime() > stale
  const away = state.problem !== null || isOld
  return {
    state: away ? "away" : "ok",
    as_of,
    problem: away ? (state.problem ?? "CrowdSec has not been asked for a while") : null,
    truncated: state.truncated
  } as const
}

/** Health of the part. Pure. */
export const component = (view: ReturnType<typeof shown>): Component => {
  if (view.state === "unconfigured")
    return { status: "unconfigured", detail: "only our own bans are shown: set SIGNALBOX_CROWDSEC_URL" }
  if (view.state === "away") {
    const list =
      view.as_of === null
        ? healthSentence("there is no list of its bans yet")
        : healthSentence(`its bans are those of ${view.as_of}`)
    return { status: "degraded", detail: `${healthSentence(`CrowdSec is away (${view.problem})`)}; ${list}` }
  }
  return view.truncated
    ? { status: "ok", detail: "CrowdSec has more bans than are shown; see SIGNALBOX_CROWDSEC_ORIGINS" }
    : { status: "ok" }
}
