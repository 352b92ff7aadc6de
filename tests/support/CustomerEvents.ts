/** Events of customers, as sip-config emits them, for daemons that keep the tenants of customers. */
import { Effect } from "effect"
import type { TestSuite } from "./TestSuite.ts"
import { untilWithin } from "./Within.ts"

/** Emits a customer of this tenant and waits until the daemon with this schema has it. */
export const emitCustomer = Effect.fnUntraced(function* (
  { sql }: TestSuite,
  schema: string,
  customer: {
    readonly customer_id: number
    readonly tenant_id: number
    readonly version?: number
    readonly state?: string
  }
) {
  const { state = "active", version = 1 } = customer
  const data = { number: "K1", name: "Customer", locale: "de-DE", email: null, phones: [], ...customer, state, version }
  yield* sql`insert into core.event (type, source, tenant_id, data)
    values ('customer.changed', 'test', ${customer.tenant_id}, ${sql.json(data)})`
  yield* sql`select pg_notify('signalbox', 'event')`
  yield* untilWithin(
    30,
    `customer ${customer.customer_id} at ${schema}`,
    Effect.map(
      sql`select 1 from ${sql(schema)}.customer_tenant
        where customer_id = ${customer.customer_id} and version = ${version}`,
      (rows) => rows.length === 1
    )
  )
})
