/** Keeps the maintenance windows that the status page announces. */
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { MaintenanceChanged } from "#core/contracts/Status.ts"
import type { Consumer, Event } from "#core/events/Events.ts"
import { transaction } from "#core/sql/Sql.ts"
import { Wake } from "#core/events/Wake.ts"
import { alertTopic } from "./RecordChange.ts"

const decode = Schema.decodeUnknownEffect(MaintenanceChanged.data)

/** Stores or removes the window of an event. */
export const applyMaintenance = Effect.fnUntraced(function* (event: Pick<Event, "data">) {
  const sql = yield* SqlClient.SqlClient
  const { components, ends_at, maintenance_id, starts_at, state } = yield* decode(event.data)
  yield* state === "cancelled"
    ? sql`delete from watchdog.maintenance where id = ${maintenance_id}`
    : sql`insert into watchdog.maintenance (id, components, starts_at, ends_at)
        values (${maintenance_id}, ${components}::text[], ${new Date(starts_at)}, ${new Date(ends_at)})
        on conflict (id) do update set components = excluded.components, starts_at = excluded.starts_at,
          ends_at = excluded.ends_at`
  yield* (yield* Wake).announce(alertTopic)
})

export const maintenanceConsumer: Consumer<SqlClient.SqlClient | Wake> = {
  name: "watchdog.maintenance",
  pattern: MaintenanceChanged.type,
  from: "beginning",
  handle: (event) => transaction(applyMaintenance(event))
}
