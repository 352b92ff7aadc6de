/** Whether a tenant exists. Only identity has a table of tenants, but the newest event of each tenant is kept. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { providerTenant } from "../auth/Caller.ts"
import { exitUsage, fail } from "./Ending.ts"

/** Fails with a sentence unless the tenant exists. The provider's own tenant always does. */
export const knownTenant = Effect.fnUntraced(function* (id: number) {
  if (id === providerTenant) return
  const sql = yield* SqlClient.SqlClient
  const found = yield* sql`select 1 from core.event
    where type like 'identity.tenant.%' and data->>'tenant_id' = ${String(id)} limit 1`
  if (found.length === 0)
    return yield* fail(`--tenant: there is no tenant ${id}; \`signalbox tenant list\` shows all tenants`, exitUsage)
})
