/**
 * Upkeep of statements: gives statements the account that was created after them, clears findings that no longer hold,
 * and deletes unfinished uploads and files after their retention.
 */
import { Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Events } from "#core/events/Events.ts"
import { Wake } from "#core/events/Wake.ts"
import type { Jobs } from "#core/jobs/Jobs.ts"
import { tenantTransaction, transaction } from "#core/sql/Sql.ts"
import { Actor, type ActorSpec } from "#core/supervision/Supervisor.ts"
import { decidedStatuses } from "../bank-store/MoveMatch.ts"
import { announce } from "./Chain.ts"
import { lockTenant } from "./Placing.ts"

/** Topic that the trigger of the accounts' table announces. */
export const accountsTopic = "bank accounts"

/** Longest pause between two rounds. */
const interval = Duration.seconds(60)

/** How long an upload may take. Unit: hours. Reason: longer than the listener allows; the rest is from a crash. */
const uploadHours = 2

/** Files that one round deletes. Reason: a short transaction. */
const removedAtOnce = 100

export const upkeep: ActorSpec<SqlClient.SqlClient | Wake | Events | Jobs> = {
  name: "statement upkeep",
  placed: true,
  stallAfter: Duration.times(interval, 3),
  run: Effect.gen(function* () {
    const actor = yield* Actor
    const wakeup = yield* (yield* Wake).subscribe(accountsTopic)
    while (true) {
      yield* actor.progress
      const attached = yield* attachAll
      yield* clearVanished
      yield* removeUnfinished
      const removed = yield* removeExpired
      yield* actor.note(`last round gave ${attached} statements an account and deleted ${removed} files`)
      yield* wakeup.wait(interval)
    }
  })
}

/** Statements whose account exists by now. Returns their number. */
const attachAll = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const tenants = yield* sql<{ tenant_id: number }>`select distinct s.tenant_id from bank_fetcher.statement s
    join bank_fetcher.account a on a.tenant_id = s.tenant_id and a.iban = s.iban where s.account_id is null`
  let attached = 0
  for (const { tenant_id } of tenants) attached += yield* tenantTransaction(tenant_id, attach(tenant_id))
  return attached
})

const attach = Effect.fnUntraced(function* (tenantId: number) {
  const sql = yield* SqlClient.SqlClient
  yield* lockTenant(tenantId)
  const rows = yield* sql<{ id: string }>`
    update bank_fetcher.statement s set account_id = a.id,
      findings = (select coalesce(jsonb_agg(f), '[]') from jsonb_array_elements(s.findings) f
          where f->>'code' <> 'unknown_account')
        || case when s.currency <> a.currency then jsonb_build_array(jsonb_build_object('code', 'currency_differs',
          'values', jsonb_build_object('currency', s.currency, 'account_currency', a.currency))) else '[]' end
    from (select distinct on (iban) id, iban, currency from bank_fetcher.account where tenant_id = ${tenantId}
      order by iban, active desc, seq desc) a
    where s.tenant_id = ${tenantId} and s.account_id is null and s.iban = a.iban returning s.id`
  if (rows.length === 0) return 0
  const ids = rows.map(({ id }) => id)
  yield* sql`update bank_fetcher.transaction t set account_id = s.account_id, version = t.version + 1,
      updated_at = now()
    from bank_fetcher.statement s where s.id = t.statement_id and ${sql.in("s.id", ids)}`
  yield* announce(tenantId, ids)
  return ids.length
})

/** Removes findings about bookings that came after all, or whose match a person undid. */
const clearVanished = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* transaction(sql`
    update bank_fetcher.statement s set findings = c.kept
    from (select s.id, coalesce(jsonb_agg(f.finding order by f.at) filter (where not f.gone), '[]') as kept,
            bool_or(f.gone) as changed
          from bank_fetcher.statement s cross join lateral (
            select e.finding, e.at, e.finding->>'code' = 'matched_booking_vanished' and not exists (
              select 1 from bank_fetcher.transaction t where t.id = (e.finding->'values'->>'transaction')::uuid
                and t.replaced_by is null and ${sql.in("t.reconciliation_status", decidedStatuses)}) as gone
            from jsonb_array_elements(s.findings) with ordinality as e (finding, at)) f
          where s.findings <> '[]' and s.findings @> '[{"code": "matched_booking_vanished"}]' group by s.id) c
    where s.id = c.id and c.changed`)
})

/** Uploads that a crash interrupted. */
const removeUnfinished = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  transaction(sql`delete from bank_fetcher.raw_file
    where state = 'receiving' and received_at < now() - make_interval(hours => ${uploadHours})`)
)

/** Deletes the content of files after their retention. Their rows stay, with the hash, as do statements. */
const removeExpired = transaction(
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const gone = yield* sql<{ id: string }>`update bank_fetcher.raw_file set state = 'removed', removed_at = now()
      where id in (select id from bank_fetcher.raw_file
        where state in ('parsed', 'failed') and keep_until <= current_date
        order by keep_until limit ${removedAtOnce} for update skip locked) returning id`
    const ids = gone.map(({ id }) => id)
    if (ids.length > 0) yield* sql`delete from bank_fetcher.raw_chunk where ${sql.in("file_id", ids)}`
    return ids.length
  })
)
