/** Accounts as far as statements need them. Functions run in the surrounding transaction. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export interface StatementAccount {
  readonly id: string
  readonly tenant_id: number
  readonly name: string
  readonly iban: string
  readonly currency: string
}

/** Accounts of the tenant with these IBANs, by IBAN. Of several with one IBAN: the active one, else the newest. */
export const byIban = Effect.fnUntraced(function* (tenantId: number, ibans: ReadonlyArray<string>) {
  if (ibans.length === 0) return new Map<string, StatementAccount>()
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<StatementAccount>`select distinct on (iban) id, tenant_id, name, iban, currency
    from bank_fetcher.account where tenant_id = ${tenantId} and ${sql.in("iban", ibans)}
    order by iban, active desc, seq desc`
  return new Map(rows.map((row) => [row.iban, row]))
})

export const byId = Effect.fnUntraced(function* (tenantId: number, id: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<StatementAccount>`select id, tenant_id, name, iban, currency from bank_fetcher.account
    where tenant_id = ${tenantId} and id = ${id}`
  return row
})
