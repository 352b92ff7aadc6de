/**
 * Numbers that calls over a gateway of the switch show when nobody names another. sip-config stores them with its
 * trunks; comm-dispatcher reads them for alarm calls. Without a number the switch would show 0000000000. Functions run
 * in the surrounding transaction, or on their own.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Stores the number of a tenant's gateway; null removes it. */
export const set = Effect.fnUntraced(function* (tenantId: number, gateway: string, callerId: string | null) {
  const sql = yield* SqlClient.SqlClient
  yield* callerId === null
    ? sql`delete from core.gateway_caller_id where gateway = ${gateway}`
    : sql`insert into core.gateway_caller_id (gateway, tenant_id, caller_id)
        values (${gateway}, ${tenantId}, ${callerId})
        on conflict (gateway) do update set caller_id = excluded.caller_id`
})

/** Number of a gateway; undefined when none is known. */
export const of = Effect.fnUntraced(function* (gateway: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ caller_id: string }>`select caller_id from core.gateway_caller_id
    where gateway = ${gateway}`
  return row?.caller_id
})
