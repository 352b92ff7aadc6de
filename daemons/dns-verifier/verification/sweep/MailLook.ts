/**
 * One look at the records of a mail domain. mail-admin hears of it when a status changed, and when it wants other
 * records than before.
 */
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

/** What to ask at a glance; nothing: there is nothing to look at. */
export const asks = (row: DueRows.MailRow) => questionsOf(row.records, [])

/** Whether a glance is all there is to it. Pure, but for the turn of the clock. */
export const isAsKnown = (
  row: DueRows.MailRow,
  glance: Observation,
  { dnsMinute }: Pick<Settings, "dnsMinute">
): boolean => {
  const seen = seenIn(row, glance)
  const turn = Math.floor(Date.now() / (row.check_every * dnsMinute)) + row.id
  return !isNews(row, seen) && (seen.isGood || turn % depthEvery !== 0)
}

/** In the sweep, of one that a glance is not enough for. Call outside transactions. */
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

/** Whether mail-admin does not know it: it told of other records since, or of none to us yet, or DNS says otherwise. */
const isNews = (row: DueRows.MailRow, seen: Seen): boolean => isUntold(row, seen) || seen.checkEvery !== row.check_every

const isUntold = (row: DueRows.MailRow, { statuses }: Seen): boolean =>
  row.checks === null ||
  row.checked_version !== row.version ||
  statuses.some((status, at) => row.checks![at]?.status !== status)

/** Nothing is written when mail-admin wanted something else meanwhile: the next look is about that. */
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
      yield* sql`update dns_verifier.mail_domain set check_every = ${seen.checkEvery}, checks = ${pg.json(records)}, checked_version = ${version},
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
