/**
 * Projection of customer events: the tenant of each customer. A daemon that stores rows with a `customer_id` has a
 * table `customer_tenant` of its own, so that such a row belongs to the tenant of its customer.
 */
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Caller, inScope, tenantOf } from "../auth/Caller.ts"
import { CustomerChanged, customerPattern } from "../contracts/Customers.ts"
import { type Event, Events } from "../events/Events.ts"
import { Forbidden, InvalidRequest, orUnavailable } from "../http/Problem.ts"
import type { Migration } from "../sql/Migrations.ts"
import { transaction } from "../sql/Sql.ts"

/** The table of a daemon's schema. */
export const migration = (schema: string, id: number): Migration => ({
  id,
  name: "tenants of customers",
  statements: [
    `create table ${schema}.customer_tenant (
       customer_id int primary key,
       tenant_id int not null,
       state text not null check (state in ('active', 'deleted')),
       version int not null
     )`,
    `select core.protect('${schema}.customer_tenant')`
  ]
})

const isCustomer = Schema.is(CustomerChanged.data)

/** The consumer that fills the table: the newest state of each customer, in any order of events. */
export const feed = (daemon: string, schema: string) =>
  Effect.map(Events, (events) =>
    events.consumer({
      name: `${daemon}.customers`,
      pattern: customerPattern,
      from: "beginning",
      handle: (event: Event) =>
        isCustomer(event.data)
          ? transaction(keep(schema, event.data))
          : Effect.logError(`event ${event.id} (${event.type}) does not decode as a customer and is skipped`)
    })
  )

const keep = Effect.fnUntraced(function* (
  schema: string,
  { customer_id, state, tenant_id, version }: typeof CustomerChanged.data.Type
) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`insert into ${sql(schema)}.customer_tenant as c (customer_id, tenant_id, state, version)
    values (${customer_id}, ${tenant_id}, ${state}, ${version})
    on conflict (customer_id) do update set tenant_id = excluded.tenant_id, state = excluded.state,
      version = excluded.version where c.version < excluded.version`
})

/** Name of the table. A daemon that needs more of a customer has a wider table with another name. */
const usualTable = "customer_tenant"

/** The tenant of a customer, as far as the surrounding transaction may see it; undefined for an unknown customer. */
export const tenantOfCustomer = Effect.fnUntraced(function* (schema: string, customerId: number, table = usualTable) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ tenant_id: number }>`select tenant_id from ${sql(schema)}.${sql(table)}
    where customer_id = ${customerId} and state = 'active'`
  return row?.tenant_id
})

const elsewhere = (customerId: number, tenantId: number) =>
  new InvalidRequest({
    errors: [{ field: "payload.customer_id", message: `customer ${customerId} does not belong to tenant ${tenantId}` }]
  })

/**
 * Tenant of a new row of a customer: of a user the own tenant; of a platform caller the customer's, else the named one,
 * else the provider's. A platform caller cannot put a customer's row into another tenant.
 */
export const ownerOf = Effect.fnUntraced(function* (
  schema: string,
  named: number | undefined,
  customerId: number,
  table = usualTable
) {
  const caller = yield* Caller
  if (caller.kind === "user") {
    if (named !== undefined && named !== caller.tenantId)
      return yield* new Forbidden({ detail: "Only service tokens may name another tenant." })
    return caller.tenantId
  }
  const known = yield* orUnavailable(inScope(tenantOfCustomer(schema, customerId, table)))
  if (known !== undefined && named !== undefined && named !== known) return yield* elsewhere(customerId, named)
  return known ?? named ?? tenantOf(caller)
})

/** Refuses a customer that is known to belong to another tenant than the row. In the surrounding transaction. */
export const sameTenant = Effect.fnUntraced(function* (
  schema: string,
  tenantId: number,
  customerId: number,
  table = usualTable
) {
  const known = yield* tenantOfCustomer(schema, customerId, table)
  if (known !== undefined && known !== tenantId) return yield* elsewhere(customerId, tenantId)
})
