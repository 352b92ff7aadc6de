/**
 * What the bookkeeper sees first: balances, what waits, open invoices, figures of each day. Each part is one statement
 * that an index serves. In the surrounding transaction with its role.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { decimalOf } from "../bank-store/Money.ts"
import * as Batches from "./Batches.ts"
import type { DashboardView } from "./DashboardView.ts"
import { batchView } from "./ReconciliationViews.ts"

type View = typeof DashboardView.Type

interface AccountRow {
  readonly account_id: string
  readonly name: string
  readonly iban: string
  readonly currency: string
  readonly key_status: string
  readonly stopped: string | null
  readonly last_movement: string | null
  readonly unmatched: number
  readonly findings: number
  readonly closing: number | null
  readonly closing_on: string | null
  readonly closing_id: string | null
  readonly intraday: number | null
  readonly intraday_on: string | null
  readonly intraday_id: string | null
  readonly fetch_id: string | null
  readonly fetch_reason: string
  readonly fetch_state: string
  readonly fetch_problem: string | null
  readonly fetch_created_at: Date
  readonly fetch_finished_at: Date | null
  readonly last_success: Date | null
  readonly failures: number | null
  readonly since: Date | null
  readonly retry_at: Date | null
  readonly last_problem: string | null
}

const accounts = (tenantId: number) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql<AccountRow>`
    select a.id as account_id, a.name, a.iban, a.currency, a.key_status, a.stopped,
      (select max(t.booked_on)::text from bank_fetcher.transaction t
        where t.account_id = a.id and t.current) as last_movement,
      coalesce(u.unmatched, 0)::int as unmatched, coalesce(s.findings, 0)::int as findings,
      c.closing::float8 as closing, c.closing_on::text as closing_on, c.id as closing_id,
      i.closing::float8 as intraday, coalesce(i.closing_on, i.to_date)::text as intraday_on, i.id as intraday_id,
      f.id as fetch_id, f.reason as fetch_reason, f.state as fetch_state, f.problem as fetch_problem,
      f.created_at as fetch_created_at, f.finished_at as fetch_finished_at,
      w.last_success, w.failures, w.since, w.retry_at, w.last_problem
    from bank_fetcher.account a
    left join (select account_id, count(*) as unmatched from bank_fetcher.transaction
      where tenant_id = ${tenantId} and current and status = 'booked'
        and reconciliation_status in ('unmatched', 'suggested') group by account_id) u on u.account_id = a.id
    left join (select account_id, count(*) as findings from bank_fetcher.statement
      where tenant_id = ${tenantId} and findings <> '[]' group by account_id) s on s.account_id = a.id
    left join lateral (select id, closing, closing_on from bank_fetcher.statement
      where account_id = a.id and kind = 'end_of_day' and state = 'current' and closing is not null
      order by closing_on desc nulls last, seq desc limit 1) c on true
    left join lateral (select id, closing, closing_on, to_date from bank_fetcher.statement
      where account_id = a.id and kind = 'intraday' and state = 'current' and closing is not null
        and coalesce(closing_on, to_date) > coalesce(c.closing_on, '-infinity'::date)
      order by coalesce(closing_on, to_date) desc, seq desc limit 1) i on true
    left join lateral (select * from bank_fetcher.fetch where account_id = a.id order by seq desc limit 1) f on true
    left join bank_fetcher.fetch_state w on w.account_id = a.id
    where a.tenant_id = ${tenantId} and a.active order by a.seq`
  )

const accountView = (row: AccountRow): View["accounts"][number] => {
  const { account_id, closing, closing_id, closing_on, currency, failures, fetch_id, iban, intraday, intraday_id } = row
  const { findings, intraday_on, key_status, last_movement, last_success, name, stopped, unmatched } = row
  return {
    account_id,
    name,
    iban,
    currency,
    key_status,
    stopped,
    balance:
      closing === null ? null : { amount: decimalOf(closing, currency), on: closing_on, statement_id: closing_id! },
    intraday:
      intraday === null ? null : { amount: decimalOf(intraday, currency), on: intraday_on, statement_id: intraday_id! },
    last_movement,
    unmatched,
    findings,
    last_fetch:
      fetch_id === null
        ? null
        : {
            id: fetch_id,
            reason: row.fetch_reason,
            state: row.fetch_state,
            problem: row.fetch_problem,
            created_at: row.fetch_created_at.toISOString(),
            finished_at: row.fetch_finished_at?.toISOString() ?? null
          },
    last_success: last_success?.toISOString() ?? null,
    failing:
      failures === null || failures === 0
        ? null
        : {
            failures,
            since: row.since?.toISOString() ?? null,
            retry_at: row.retry_at?.toISOString() ?? null,
            problem: row.last_problem
          }
  }
}

interface WaitingRow {
  readonly currency: string
  readonly status: "unmatched" | "suggested"
  readonly count: number
  readonly incoming: number
  readonly outgoing: number
}

const waiting = (tenantId: number) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql<WaitingRow>`select currency, reconciliation_status as status, count(*)::int as count,
      coalesce(sum(amount) filter (where amount > 0), 0)::float8 as incoming,
      coalesce(sum(amount) filter (where amount < 0), 0)::float8 as outgoing
    from bank_fetcher.transaction where tenant_id = ${tenantId} and current and status = 'booked'
      and reconciliation_status in ('unmatched', 'suggested') group by 1, 2`
  )

interface OpenRow {
  readonly currency: string
  readonly count: number
  readonly amount: number
  readonly overdue: number
  readonly overdue_amount: number
}

const openInvoices = (tenantId: number) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql<OpenRow>`select currency, count(*)::int as count, sum(amount - settled)::float8 as amount,
      count(*) filter (where due_on < current_date)::int as overdue,
      coalesce(sum(amount - settled) filter (where due_on < current_date), 0)::float8 as overdue_amount
    from bank_fetcher.invoice where tenant_id = ${tenantId} and status in ('open', 'partial') group by 1`
  )

interface DayRow {
  readonly day: string
  readonly currency: string
  readonly incoming: number
  readonly outgoing: number
  readonly transactions: number
  readonly matched: number
}

const daily = (tenantId: number, days: number) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql<DayRow>`
    with booked as (
      select booked_on as day, currency, coalesce(sum(amount) filter (where amount > 0), 0)::float8 as incoming,
        coalesce(sum(amount) filter (where amount < 0), 0)::float8 as outgoing, count(*)::int as transactions,
        count(*) filter (where reconciliation_status in ('auto_matched', 'manual_matched', 'partial'))::int as matched
      from bank_fetcher.transaction
      where tenant_id = ${tenantId} and current and status = 'booked'
        and booked_on between (now() at time zone 'utc')::date - ${days - 1}::int and (now() at time zone 'utc')::date
      group by 1, 2),
    currencies as (select currency from booked
      union select currency from bank_fetcher.account where tenant_id = ${tenantId} and active)
    select d.day::date::text as day, c.currency, coalesce(b.incoming, 0) as incoming,
      coalesce(b.outgoing, 0) as outgoing, coalesce(b.transactions, 0) as transactions,
      coalesce(b.matched, 0) as matched
    from generate_series((now() at time zone 'utc')::date - ${days - 1}::int, (now() at time zone 'utc')::date,
      interval '1 day') as d (day)
    cross join currencies c left join booked b on b.day = d.day::date and b.currency = c.currency order by 1, 2`
  )

const counts = (tenantId: number) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql<{ findings: number; failed_files: number }>`select
        (select count(*) from bank_fetcher.statement
          where tenant_id = ${tenantId} and findings <> '[]')::int as findings,
        (select count(*) from bank_fetcher.raw_file
          where tenant_id = ${tenantId} and state = 'failed')::int as failed_files`,
      ([row]) => row!
    )
  )

/** Figures of each currency that anything waits or is open in. */
const currencyViews = (
  waitingRows: ReadonlyArray<WaitingRow>,
  open: ReadonlyArray<OpenRow>,
  others: ReadonlyArray<string>
): View["currencies"] =>
  [...new Set([...others, ...waitingRows.map(({ currency }) => currency), ...open.map(({ currency }) => currency)])]
    .toSorted()
    .map((currency) => {
      const sums = (status: WaitingRow["status"]) => {
        const row = waitingRows.find((one) => one.currency === currency && one.status === status)
        return {
          count: row?.count ?? 0,
          incoming: decimalOf(row?.incoming ?? 0, currency),
          outgoing: decimalOf(row?.outgoing ?? 0, currency)
        }
      }
      const row = open.find((one) => one.currency === currency)
      return {
        currency,
        unmatched: sums("unmatched"),
        suggested: sums("suggested"),
        open_invoices: { count: row?.count ?? 0, amount: decimalOf(row?.amount ?? 0, currency) },
        overdue_invoices: { count: row?.overdue ?? 0, amount: decimalOf(row?.overdue_amount ?? 0, currency) }
      }
    })

export const dashboard = Effect.fnUntraced(function* (tenantId: number, days: number) {
  const accountRows = yield* accounts(tenantId)
  const waitingRows = yield* waiting(tenantId)
  const open = yield* openInvoices(tenantId)
  const dayRows = yield* daily(tenantId, days)
  const [batch] = yield* Batches.list(tenantId, undefined, 1)
  const count = (status: WaitingRow["status"]) =>
    waitingRows.reduce((sum, row) => sum + (row.status === status ? row.count : 0), 0)
  const view: View = {
    accounts: accountRows.map(accountView),
    currencies: currencyViews(
      waitingRows,
      open,
      accountRows.map(({ currency }) => currency)
    ),
    unmatched: count("unmatched"),
    suggested: count("suggested"),
    ...(yield* counts(tenantId)),
    daily: dayRows.map(({ currency, incoming, outgoing, ...row }) => ({
      ...row,
      currency,
      incoming: decimalOf(incoming, currency),
      outgoing: decimalOf(outgoing, currency)
    })),
    batch: batch === undefined ? null : batchView(batch)
  }
  return view
})
