/** Waits until comm-dispatcher reads events for its workflows. Events from before begin no run. */
import type { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import { consumerName } from "#daemons/comm-dispatcher/workflows/engine/EventConsumer.ts"
import { until } from "#support/Frame.ts"

export const workflowsRead = ({ sql }: { readonly sql: PgClient.PgClient }) =>
  until(
    "events are read for workflows",
    Effect.map(sql`select 1 from core.event_cursor where consumer = ${consumerName}`, (rows) => rows.length > 0),
    30
  )
