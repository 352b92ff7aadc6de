/** Finds the customers who may be calling. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { tail } from "../directory/Exports.ts"

export interface Known {
  readonly id: number
  readonly name: string
  readonly number: string
  readonly locale: string
}

/** Maximum number of customers found. Reason: people choose from them while the telephone rings. */
const maxFound = 10

/**
 * Customers of the tenant with this telephone number, compared by its last ten digits, oldest first. None for a caller
 * without a number (`anonymous`). Cost: eight database pages for one match, whatever the number of customers.
 */
export const find = Effect.fnUntraced(function* (tenantId: number, callerId: string) {
  const digits = tail(callerId)
  if (digits === undefined) return []
  const sql = yield* SqlClient.SqlClient
  return yield* lookup(sql, tenantId, digits)
})

/** Statement of `find`, separate so that tests can count its pages. */
export const lookup = (sql: SqlClient.SqlClient, tenantId: number, digits: string) =>
  sql<Known>`select c.id, c.name, c.number, c.locale from sip_config.customer_phone p
    join sip_config.customer c on c.id = p.customer_id
    where p.tenant_id = ${tenantId} and p.tail = ${digits} order by p.customer_id limit ${maxFound}`
