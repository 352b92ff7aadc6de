/**
 * Projection of customer events: name, number and tenant of each customer, in any order of events. The IBANs of a
 * deleted customer are deleted; its invoices and payments stay.
 */
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { CustomerChanged, customerPattern } from "#core/contracts/Customers.ts"
import { type Event, Events } from "#core/events/Events.ts"
import { transaction } from "#core/sql/Sql.ts"

const isCustomer = Schema.is(CustomerChanged.data)

export const customerFeed = Effect.map(Events, (events) =>
  events.consumer({
    name: "bank-fetcher.customers",
    pattern: customerPattern,
    from: "beginning",
    handle: (event: Event) =>
      isCustomer(event.data)
        ? transaction(keep(event.data))
        : Effect.logError(`event ${event.id} (${event.type}) does not decode as a customer and is skipped`)
  })
)

const keep = Effect.fnUntraced(function* ({
  customer_id,
  name,
  number,
  state,
  tenant_id,
  version
}: typeof CustomerChanged.data.Type) {
  const sql = yield* SqlClient.SqlClient
  const isDeleted = state === "deleted"
  // Without the name: nothing of a deleted customer is needed any more.
  const written = yield* sql`
    insert into bank_fetcher.customer as c (customer_id, tenant_id, number, name, state, version)
    values (${customer_id}, ${tenant_id}, ${number}, ${isDeleted ? "" : name}, ${state}, ${version})
    on conflict (customer_id) do update set tenant_id = excluded.tenant_id, number = excluded.number,
      name = excluded.name, state = excluded.state, version = excluded.version
    where c.version < excluded.version returning 1`
  if (written.length === 0) return
  yield* sql`delete from bank_fetcher.customer_iban
    where customer_id = ${customer_id} and (${isDeleted} or tenant_id <> ${tenant_id})`
})
