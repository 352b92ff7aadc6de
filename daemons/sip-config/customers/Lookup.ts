/** Who is calling. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { tail } from "../directory/Exports.ts"

export interface Known {
  readonly id: number
  readonly name: string
  readonly number: string
  readonly locale: string
}

/**
 * The tenant's customer with this telephone number, found by its last ten digits; of several the one that was there
 * first. Undefined when nobody has it, or it is no number (`anonymous`). Eight pages are read, however many customers
 * there are.
 */
export const find = Effect.fnUntraced(function* (tenantId: number, callerId: string) {
  const digits = tail(callerId)
  if (digits === undefined) return undefined
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* lookup(sql, tenantId, digits)
  return row
})

/** The statement, for whoever counts its pages. */
export const lookup = (sql: SqlClient.SqlClient, tenantId: number, digits: string) =>
  sql<Known>`select c.id, c.name, c.number, c.locale from sip_config.customer_phone p join sip_config.customer c on c.id = p.customer_id
    where p.tenant_id = ${tenantId} and p.tail = ${digits} order by p.customer_id limit 1`
