/** Findings about the order of statements, and the event of new ones. Functions run in the surrounding transaction. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { StatementImported } from "#core/contracts/Bank.ts"
import { Events } from "#core/events/Events.ts"
import { Jobs } from "#core/jobs/Jobs.ts"
import { ReconcileWanted } from "../bank-store/BankJobs.ts"
import { chainCodes, chainFindings, type ChainLink, type Finding } from "./Findings.ts"

export interface ChainKey {
  readonly iban: string
  readonly currency: string | null
  /** First day of what changed. */
  readonly since: string | null
}

/** How far back the order is checked again. Unit: days. Reason: the number of the last year's last statement. */
const lookBack = 400

/** Finds gaps and broken balances again, so that a statement that comes late clears them. */
export const refreshChain = Effect.fnUntraced(function* (tenantId: number, { currency, iban, since }: ChainKey) {
  const sql = yield* SqlClient.SqlClient
  const links = yield* sql<ChainLink & { findings: ReadonlyArray<Finding> }>`
    select id, number, page, currency, opening::float8 as opening, closing::float8 as closing, to_date::text as day,
      findings
    from bank_fetcher.statement
    where tenant_id = ${tenantId} and iban = ${iban} and currency is not distinct from ${currency}::text
      and kind = 'end_of_day' and state = 'current' and to_date is not null
      and to_date >= coalesce(${since}::text::date, '-infinity'::date) - ${lookBack}::int
    order by seq`
  const found = chainFindings(links)
  const changed = links.flatMap(({ findings, id }, at) => {
    // The first one of the range has lost what was before it.
    if (at === 0 && !found.has(id) && since !== null) return []
    const next = [...findings.filter(({ code }) => !chainCodes.has(code)), ...(found.get(id) ?? [])]
    return JSON.stringify(next) === JSON.stringify(findings) ? [] : [{ id, findings: next }]
  })
  if (changed.length === 0) return
  yield* sql`update bank_fetcher.statement s set findings = c.findings
    from jsonb_to_recordset(${JSON.stringify(changed)}::text::jsonb) as c (id uuid, findings jsonb) where s.id = c.id`
})

/** Emits the event of each statement that belongs to an account, and queues the matching of its transactions. */
export const announce = Effect.fnUntraced(function* (tenantId: number, ids: ReadonlyArray<string>) {
  if (ids.length === 0) return
  const sql = yield* SqlClient.SqlClient
  const events = yield* Events
  const jobs = yield* Jobs
  const rows = yield* sql<typeof StatementImported.data.Type>`
    select s.account_id, s.tenant_id, a.name as account, a.iban, s.id as statement_id, s.kind,
      s.from_date::text as from_date, s.to_date::text as to_date, s.transactions,
      jsonb_array_length(s.findings) as findings
    from bank_fetcher.statement s join bank_fetcher.account a on a.id = s.account_id
    where ${sql.in("s.id", ids)} order by s.seq`
  yield* events.emitAll(
    StatementImported,
    "bank-fetcher",
    rows.map((data) => ({ data, audience: { tenantId } }))
  )
  yield* jobs.send(ReconcileWanted, [{ data: { tenant_id: tenantId, batch_id: null } }])
})
