/**
 * Stores the statements of a file and puts each in its place among the others: known, new, or replacing. Functions run
 * in the surrounding transaction of the tenant, under its lock.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { type Booking, decidedStatuses, moveMatches, pairs } from "../bank-store/MoveMatch.ts"
import { type Finding, ownFindings } from "./Findings.ts"
import type { StatementHead, StatementSummary } from "./reading/Rows.ts"
import * as Repetition from "./Repetition.ts"
import { decimalOf } from "../bank-store/Money.ts"

/** A statement of a file, after its rows were read. */
export interface ReadStatement {
  /** Position in the file, from 0. */
  readonly position: number
  readonly head: StatementHead
  readonly summary: StatementSummary
}

export interface AccountOfStatement {
  readonly id: string
  readonly currency: string
}

export interface PlacedIn {
  readonly tenantId: number
  readonly fileId: string
  readonly reading: string
}

/** Makes statements of one tenant wait for each other. */
export const lockTenant = (tenantId: number) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`select pg_advisory_xact_lock(hashtext('bank_fetcher.statement'), ${tenantId})`
  )

/** Stores one statement with its transactions. Returns its id; undefined when it is known already. */
export const place = Effect.fnUntraced(function* (
  place: PlacedIn,
  { head, position, summary }: ReadStatement,
  account: AccountOfStatement | undefined
) {
  const sql = yield* SqlClient.SqlClient
  const { fileId, reading, tenantId } = place
  const lastDay = head.to ?? summary.lastDay
  const firstDay = head.from ?? summary.firstDay ?? lastDay
  const decision = yield* repetition(place, head, { ...summary, firstDay, lastDay })
  if (decision._tag === "Known") return undefined
  const id = randomUUID()
  const outdated = decision._tag === "Outdated"
  const findings: Array<Finding> = [
    ...ownFindings({ ...head, ...summary }, account?.currency),
    ...("again" in decision && decision.again
      ? [{ code: "same_number_again" as const, values: { number: head.number ?? 0 } }]
      : [])
  ]
  yield* sql`insert into bank_fetcher.statement (id, tenant_id, account_id, file_id, position, kind, format, bank_id,
      number, page, iban, currency, from_date, to_date, opening, opening_on, closing, closing_on, transactions, state,
      replaced_by, findings, fingerprint, bank_created_at)
    values (${id}, ${tenantId}, ${account?.id ?? null}, ${fileId}, ${position}, ${head.kind}, ${head.format},
      ${head.bankId}, ${head.number}, ${head.page}, ${head.iban}, ${head.currency}, ${firstDay}::text::date,
      ${lastDay}::text::date, ${head.opening}, ${head.openingOn}::text::date, ${head.closing},
      ${head.closingOn}::text::date, ${summary.transactions}, ${outdated ? "replaced" : "current"},
      ${outdated ? decision.by : null}, ${JSON.stringify(findings)}::text::jsonb, ${summary.fingerprint},
      ${head.createdAt})`
  if (summary.transactions > 0)
    yield* sql`insert into bank_fetcher.transaction (tenant_id, account_id, statement_id, position, amount, currency,
        status, booked_on, value_on, reversal, text, end_to_end_id, creditor_reference, mandate_id, creditor_id,
        bank_reference, counter_name, counter_iban, counter_bic, gvc, code, purpose, return_reason, current)
      select ${tenantId}, ${account?.id ?? null}, ${id}, r.position, r.amount, r.currency, r.status, r.booked_on,
        r.value_on, r.reversal, r.text, r.end_to_end_id, r.creditor_reference, r.mandate_id, r.creditor_id,
        r.bank_reference, r.counter_name, r.counter_iban, r.counter_bic, r.gvc, r.code, r.purpose, r.return_reason,
        ${!outdated}
      from bank_fetcher.parsed_rows p, jsonb_to_recordset(p.rows) as r (position int, amount bigint, currency text,
        status text, booked_on date, value_on date, reversal boolean, text text, end_to_end_id text,
        creditor_reference text, mandate_id text, creditor_id text, bank_reference text, counter_name text,
        counter_iban text, counter_bic text, gvc text, code jsonb, purpose text, return_reason text)
      where p.file_id = ${fileId} and p.reading = ${reading} and p.statement = ${position}
      order by p.position, r.position`
  if (outdated) return id
  const replaced = [
    ...(decision._tag === "Replaces" ? decision.old : []),
    ...(head.kind === "end_of_day" ? yield* coveredReports(place, head, firstDay, lastDay) : [])
  ]
  yield* replace(id, replaced, account?.id, firstDay, lastDay)
  return id
})

const known = (sql: SqlClient.SqlClient) =>
  sql`id, file_id, format, number, page, opening::float8 as opening, closing::float8 as closing,
    to_date::text as day, bank_created_at as created, fingerprint`

const sameAccount = (sql: SqlClient.SqlClient, tenantId: number, { currency, iban }: StatementHead) =>
  sql`tenant_id = ${tenantId} and iban is not distinct from ${iban}::text
    and currency is not distinct from ${currency}::text and state = 'current'`

const repetition = Effect.fnUntraced(function* (
  { fileId, tenantId }: PlacedIn,
  head: StatementHead,
  { fingerprint, lastDay }: StatementSummary
) {
  const sql = yield* SqlClient.SqlClient
  const next: Repetition.Candidate = {
    file_id: fileId,
    format: head.format,
    number: head.number,
    page: head.page,
    opening: head.opening,
    closing: head.closing,
    day: lastDay,
    created: head.createdAt,
    fingerprint
  }
  const account = sameAccount(sql, tenantId, head)
  if (head.kind === "end_of_day") {
    const year = `${(lastDay ?? "").slice(0, 4)}`
    const stored = yield* sql<Repetition.Known>`select ${known(sql)} from bank_fetcher.statement
      where ${account} and kind = 'end_of_day' and (to_date is not distinct from ${lastDay}::text::date
        or (number = ${head.number}::int and to_char(to_date, 'YYYY') = ${year}))
      order by seq`
    return Repetition.endOfDay(next, stored)
  }
  const stored = yield* sql<Repetition.Known>`select ${known(sql)} from bank_fetcher.statement
    where ${account} and kind = 'intraday' and to_date is not distinct from ${lastDay}::text::date order by seq`
  const [covering] = yield* sql<{ id: string }>`select id from bank_fetcher.statement
    where ${account} and kind = 'end_of_day' and ${lastDay}::text::date between from_date and to_date
    order by to_date, seq desc limit 1`
  return Repetition.intraday(next, stored, covering?.id)
})

/** Reports of the days that an end-of-day statement covers. */
const coveredReports = Effect.fnUntraced(function* (
  { tenantId }: PlacedIn,
  head: StatementHead,
  firstDay: string | null,
  lastDay: string | null
) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ id: string }>`select id from bank_fetcher.statement
    where ${sameAccount(sql, tenantId, head)} and kind = 'intraday'
      and to_date between ${firstDay}::text::date and ${lastDay}::text::date order by seq`
  return rows.map(({ id }) => id)
})

/** Rows that can hold or take a match: those with an amount that a decided booking has. */
const booking = (sql: SqlClient.SqlClient) =>
  sql`t.id, t.amount::float8 as amount, t.currency, t.booked_on::text as booked_on, t.bank_reference, t.end_to_end_id,
    t.counter_iban, t.text`

/**
 * Maximum number of days between an early report and the statement. Unit: days. Reason: a long weekend and a slow bank.
 */
const orphanDays = 10

/**
 * Replaces statements as a whole: their transactions no longer count, and what was decided about them moves. Also
 * decisions about bookings that an earlier replacement lacked.
 */
const replace = Effect.fnUntraced(function* (
  id: string,
  replaced: ReadonlyArray<string>,
  accountId: string | undefined,
  firstDay: string | null,
  lastDay: string | null
) {
  const sql = yield* SqlClient.SqlClient
  if (replaced.length > 0) {
    yield* sql`update bank_fetcher.statement set state = 'replaced', replaced_by = ${id}
      where ${sql.in("id", replaced)}`
    yield* sql`update bank_fetcher.transaction set current = false where ${sql.in("statement_id", replaced)}`
  }
  // Locked, so that a decision that is being made is either seen here or fails.
  const decided = yield* sql<
    Booking & { readonly statement_id: string }
  >`select ${booking(sql)}, t.statement_id from bank_fetcher.transaction t
    where not t.current and t.replaced_by is null and ${sql.in("t.reconciliation_status", decidedStatuses)}
      and (${replaced.length === 0 ? sql`false` : sql.in("t.statement_id", replaced)}
        or (t.account_id = ${accountId ?? null}::uuid and t.booked_on between
          ${firstDay}::text::date - ${orphanDays}::int and ${lastDay}::text::date + ${orphanDays}::int))
    order by t.seq for update`
  if (decided.length === 0) return
  const amounts = [...new Set(decided.map(({ amount }) => amount))]
  const twins =
    replaced.length === 0
      ? []
      : yield* sql<Booking>`select ${booking(sql)} from bank_fetcher.transaction t
          where ${sql.in("t.statement_id", replaced)} and ${sql.in("t.amount", amounts)}
            and not ${sql.in("t.reconciliation_status", decidedStatuses)} order by t.seq`
  const candidates = yield* sql<Booking>`select ${booking(sql)} from bank_fetcher.transaction t
    where t.statement_id = ${id} and ${sql.in("t.amount", amounts)} order by t.seq`
  // Decided bookings first: a twin without a decision must not take the only place.
  const moved = pairs([...decided, ...twins], candidates)
  yield* moveMatches(moved)
  const pairedOnes = new Set(moved.map(({ old }) => old))
  const vanished = decided.filter((one) => replaced.includes(one.statement_id) && !pairedOnes.has(one.id))
  if (vanished.length === 0) return
  const findings = vanished
    .slice(0, maxVanished)
    .map((one): Finding => ({
      code: "matched_booking_vanished",
      values: {
        transaction: one.id,
        amount: decimalOf(one.amount, one.currency),
        currency: one.currency,
        booked_on: one.booked_on
      }
    }))
  yield* sql`update bank_fetcher.statement set findings = findings || ${JSON.stringify(findings)}::text::jsonb
    where id = ${id}`
})

/**
 * Maximum number of vanished bookings that one statement lists. Reason: more are one and the same mistake of a bank.
 */
const maxVanished = 100
