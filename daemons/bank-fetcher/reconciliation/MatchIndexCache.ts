/**
 * The index over a tenant's open invoices, kept while they do not change. Reason: a person looks at the suggestions of
 * one transaction after the other, and building the index of 100,000 invoices takes a second.
 */
import { Context, Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { tenantTransaction } from "#core/sql/Sql.ts"
import { type Ground, groundOf } from "./MatchRun.ts"

/** Maximum number of tenants whose index is kept. Reason: that of 100,000 invoices has about 100 MB. */
const maxKept = 4

/** How long an unused index is kept. Unit: milliseconds. */
const keptFor = 10 * 60_000

export class MatchIndexCache extends Context.Service<
  MatchIndexCache,
  {
    /** The index over the invoices that are open now. Callers do not change it. */
    readonly groundFor: (tenantId: number) => Effect.Effect<Ground, SqlError.SqlError>
  }
>()("signalbox/bank-fetcher/MatchIndexCache") {
  static readonly layer = Layer.effect(
    MatchIndexCache,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const kept = new Map<number, { readonly state: string; readonly ground: Ground; usedAt: number }>()
      const groundFor = Effect.fnUntraced(
        function* (tenantId: number) {
          const state = yield* tenantTransaction(tenantId, stateOf(tenantId))
          const now = Date.now()
          for (const [tenant, { usedAt }] of kept) if (now - usedAt > keptFor) kept.delete(tenant)
          const known = kept.get(tenantId)
          const ground = known?.state === state ? known.ground : yield* groundOf(tenantId)
          kept.delete(tenantId)
          kept.set(tenantId, { state, ground, usedAt: now })
          for (const tenant of kept.keys()) if (kept.size > maxKept) kept.delete(tenant)
          return ground
        },
        Effect.provideService(SqlClient.SqlClient, sql)
      )
      return MatchIndexCache.of({ groundFor })
    })
  )
}

/** A text that changes with the invoices, customers, IBANs and accounts of the tenant. */
const stateOf = Effect.fnUntraced(function* (tenantId: number) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ state: string }>`select concat_ws(' ',
      (select concat_ws(' ', count(*), sum(amount - settled), max(updated_at)) from bank_fetcher.invoice
        where tenant_id = ${tenantId} and status in ('open', 'partial')),
      (select concat_ws(' ', count(*), sum(version)) from bank_fetcher.customer where tenant_id = ${tenantId}),
      (select concat_ws(' ', count(*), max(created_at)) from bank_fetcher.customer_iban where tenant_id = ${tenantId}),
      (select concat_ws(' ', count(*), max(updated_at)) from bank_fetcher.account where tenant_id = ${tenantId})
    ) as state`
  return row!.state
})
