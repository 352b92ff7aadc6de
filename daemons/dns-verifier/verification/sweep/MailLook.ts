/** One check of a mail domain's records. mail-admin gets an event when a status or the wanted records changed. */
import { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { MailRecordsChecked, type RecordStatus } from "#core/contracts/MailDomains.ts"
import { Events } from "#core/events/Events.ts"
import { transaction } from "#core/sql/Sql.ts"
import { source } from "../../domain-store/Domains.ts"
import * as Cadence from "../decide/Cadence.ts"
import { isBlind } from "../decide/Findings.ts"
import { depthEvery, questionsOf } from "../decide/Questions.ts"
import { contentOf, statusesOf } from "../decide/RecordStatuses.ts"
import type { Observation } from "../observe/Observation.ts"
import { Observer } from "../observe/Observer.ts"
import type { LookOutcome, Settings } from "./DomainLook.ts"
import * as DueRows from "./DueRows.ts"

/** Questions of a quick check; empty: nothing to check. */
export const asks = (row: DueRows.MailRow) => questionsOf(row.records, [])

/** Whether the quick check is enough. Reads the clock, otherwise pure. */
export const isAsKnown = (
  row: DueRows.MailRow,
  glance: Observation,
  { dnsMinute }: Pick<Settings, "dnsMinute">
): boolean => {
  const seen = seenIn(row, glance)
  const turn = Math.floor(Date.now() / (row.check_every * dnsMinute)) + row.id
  return !isNews(row, seen) && (seen.isGood || turn % depthEvery !== 0)
}

/** Continues a sweep's check with a deep check. Call outside transactions. */
export const lookOn = Effect.fnUntraced(function* (row: DueRows.MailRow) {
  const { observe } = yield* Observer
  const observation = yield* observe(row.name, asks(row), "deep")
  if (isBlind(observation)) return { deep: true, written: false, blind: true } satisfies LookOutcome as LookOutcome
  return {
    deep: true,
    written: isNews(row, seenIn(row, observation)) && (yield* record(row.id, row.version, observation)),
    blind: false
  } satisfies LookOutcome as LookOutcome
})

interface Seen {
  readonly statuses: ReadonlyArray<RecordStatus>
  readonly isGood: boolean
  readonly checkEvery: number
}

const seenIn = (row: DueRows.MailRow, observation: Observation): Seen => {
  const wanted = row.records.map((record) => ({ type: record.type, name: record.name, content: contentOf(record) }))
  const statuses = statusesOf(wanted, observation, row.wanted ?? [])
  const isGood = statuses.every((status) => status === "ok")
  return { statuses, isGood, checkEvery: isGood ? Cadence.byTtl(observation, row.check_every) : Cadence.often }
}

/** Whether mail-admin must be told or the interval changes. */
const isNews = (row: DueRows.MailRow, seen: Seen): boolean => isUntold(row, seen) || seen.checkEvery !== row.check_every

const isUntold = (row: DueRows.MailRow, { statuses }: Seen): boolean =>
  row.checks === null ||
  row.checked_version !== row.version ||
  statuses.some((status, at) => row.checks![at]?.status !== status)

/** Stores the result, unless mail-admin changed the records meanwhile; the next check covers those. */
const record = (id: number, version: number, observation: Observation) =>
  transaction(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const pg = yield* PgClient.PgClient
      const events = yield* Events
      const row = yield* DueRows.mailDomain(id)
      if (row === undefined || row.version !== version) return false
      const seen = seenIn(row, observation)
      const records = row.records.map((wanted, at) => ({ ...wanted, status: seen.statuses[at]! }))
      const untold = isUntold(row, seen)
      yield* sql`update dns_verifier.mail_domain
        set check_every = ${seen.checkEvery}, checks = ${pg.json(records)}, checked_version = ${version},
      checked_at = ${untold ? sql`${observation.at}::timestamptz` : sql`checked_at`} where mail_domain_id = ${id}`
      if (untold)
        yield* events.emit(
          MailRecordsChecked,
          source,
          { domain: row.name, checked_at: new Date(observation.at), records },
          { tenantId: row.tenant_id }
        )
      return true
    })
  )
