/** How far the registry is behind the events, for `/health`. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Component } from "#core/daemon/Health.ts"
import { consumerName } from "./EventConsumer.ts"
import type { EventWorkflow } from "./EventWorkflow.ts"

/** From so much lag on it is told as degraded. Unit: seconds. Reason: above the half minute in which a lost wake-up is made up for. */
const slow = 60

/** The oldest event that a workflow asks for and that was not taken up; for events nobody asks for the cursor may lie still. */
export const registryComponent = (
  workflows: ReadonlyArray<EventWorkflow>
): Effect.Effect<Component, never, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [row] = yield* sql<{ lag: number }>`
      select coalesce(extract(epoch from now() - min(e.at)), 0)::float8 as lag from core.event_cursor c, lateral (
          select at from core.event e where (e.xid, e.id) > (c.xid, c.id) and pg_visible_in_snapshot(e.xid, c.since) is not true
             and e.type like any(${workflows.map(({ on }) => likeOf(on))}::text[])
           order by e.xid, e.id limit 1) e
       where c.consumer = ${consumerName}`
    const lag = Math.max(0, Math.round(row!.lag))
    return {
      status: lag > slow ? "degraded" : "ok",
      workflows: workflows.length,
      lag_s: lag,
      ...(lag > slow ? { detail: `events of ${lag} s ago wait for their workflows` } : {})
    } satisfies Component as Component
  }).pipe(
    Effect.timeout("2 seconds"),
    Effect.catch(() => Effect.succeed<Component>({ status: "degraded", detail: "the database does not answer" }))
  )

const likeOf = (pattern: string): string =>
  pattern === "*" ? "%" : pattern.replace(/[\\%_]/g, "\\$&").replace(/\.\*$/, ".%")
