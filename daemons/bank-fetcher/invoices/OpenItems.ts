/**
 * What matching needs of a tenant: its open invoices, and who may pay. Each is one statement. Runs in the surrounding
 * transaction with its role.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { OpenInvoice, Payer } from "../matching/Model.ts"

interface OpenRow extends Omit<OpenInvoice, "discount"> {
  readonly until: string | null
  readonly less: number | null
}

/** Open invoices and credit notes. A cash discount that a payment already used is not offered again. */
export const openInvoices = Effect.fnUntraced(function* (tenantId: number) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<OpenRow>`select id, number, customer_id as "customerId",
      (amount - settled)::float8 as open, currency, issued_on::text as "issuedOn", due_on::text as "dueOn",
      case when discounted = 0 then discount_until::text end as until, discount_amount::float8 as less
    from bank_fetcher.invoice where tenant_id = ${tenantId} and status in ('open', 'partial')`
  return rows.map(({ less, until, ...invoice }): OpenInvoice => ({
    ...invoice,
    discount: until === null || less === null ? null : { until, amount: less }
  }))
})

/** Customers with their names and IBANs. */
export const payers = Effect.fnUntraced(function* (tenantId: number) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<Payer>`select c.customer_id as "customerId", c.name,
      coalesce(array_agg(i.iban order by i.iban) filter (where i.iban is not null), '{}') as ibans
    from bank_fetcher.customer c
    left join bank_fetcher.customer_iban i on i.tenant_id = c.tenant_id and i.customer_id = c.customer_id
    where c.tenant_id = ${tenantId} and c.state = 'active' group by c.customer_id`
})
