/** Lag of the event consumer behind the events, for `/health`. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Component } from "#core/daemon/Health.ts"
import { likePattern } from "#core/events/Events.ts"
import { consumerName } from "./EventConsumer.ts"
import type { EventWorkflow } from "./EventWorkflow.ts"

/**
 * Lag from which the component is degraded. Unit: seconds. Reason: a lost wake-up is recovered within half a minute.
 */
const slow = 60

/** Measures the oldest unread event that a workflow matches. The cursor may rest at events that no workflow matches. */
export const registryComponent = (
  workflows: ReadonlyArray<EventWorkflow>
): Effect.Effect<Component, never, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [row] = yield* sql<{ lag: number }>`
      select coalesce(extract(epoch from now() - min(e.at)), 0)::float8 as lag from core.event_cursor c, lateral (
          select at from core.event e where (e.xid, e.id) > (c.xid, c.id)
            and pg_visible_in_snapshot(e.xid, c.since) is not true
             and e.type like any(${workflows.map(({ on }) => likePattern(on))}::text[])
           order by e.xid, e.id limit 1) e
       where c.consumer = ${consumerName}`
    const lag = Math.max(0, Math.round(row!.lag))
    return {
      status: lag > slow ? "degraded" : "ok",
      workflows: workflows.length,
      lag_s: lag,
      ...(lag > slow ? { detail: `workflows lag ${lag} s behind their events` } : {})
    } satisfies Component as Component
  }).pipe(
    Effect.timeout("2 seconds"),
    Effect.catch(() => Effect.succeed<Component>({ status: "degraded", detail: "the database does not answer" }))
  )
