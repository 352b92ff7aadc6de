/**
 * Stores the cursors of mailboxes. The transaction that sends the triggers also moves the cursor, and only from the
 * expected position. If two processes briefly watch the same mailbox, the second one sends nothing.
 */
import { Duration, Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { AlarmTrigger } from "#core/contracts/Alarm.ts"
import { Jobs } from "#core/jobs/Jobs.ts"
import type { Cursor } from "./MailboxOpening.ts"
import type { Trigger } from "../intake/Triggers.ts"

/**
 * Slack after a reset: mails up to this much older than the newest processed mail may count as new. Reason: mail
 * servers deliver in parallel, and a copied mail keeps its date. Mails processed in that time are recognised by their
 * digest.
 */
const resetSlack = Duration.hours(1)

/** Slack before the first start. Reason: clock differences; a longer slack would turn older mails into alarms. */
const firstSlack = Duration.minutes(2)

/** How long digests of processed mails are kept, counted from the newest mail. Reason: must exceed `resetSlack`. */
const takenKept = Duration.hours(3)

/** Mail to be stored as an alarm. */
export interface Take {
  readonly trigger: Trigger
  /** SHA-256 of the mail, in hex. */
  readonly digest: string
  readonly internalDate: Date
}

const seconds = (duration: Duration.Duration) => Duration.toSeconds(duration)

export const read = (mailbox: string): Effect.Effect<Cursor | undefined, SqlError.SqlError, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [row] = yield* sql<{
      uid_validity: bigint
      generation: number
      last_uid: bigint
      reset_until: bigint
      reset_since: Date | null
    }>`select uid_validity, generation, last_uid, reset_until, reset_since from alarm_bridge.mailbox_cursor
      where mailbox = ${mailbox}`
    return (
      row && {
        uidValidity: row.uid_validity,
        generation: row.generation,
        lastUid: Number(row.last_uid),
        resetUntil: Number(row.reset_until),
        resetSince: row.reset_since ?? undefined
      }
    )
  })

/** Creates the cursor of a new mailbox; does nothing when another process has created it. */
export const begin = (mailbox: string, uidValidity: bigint, lastUid: number) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) =>
      sql`insert into alarm_bridge.mailbox_cursor (mailbox, uid_validity, last_uid)
        values (${mailbox}, ${uidValidity}, ${lastUid})
      on conflict do nothing`
  )

/**
 * Restarts the cursor after a reset of the mailbox. Mails up to `until` are then checked against earlier ones. Does
 * nothing when the cursor is no longer at `from`.
 */
export const reset = (
  mailbox: string,
  from: Cursor,
  to: { readonly uidValidity: bigint; readonly generation: number; readonly until: number }
) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) =>
      sql`update alarm_bridge.mailbox_cursor set
        uid_validity = ${to.uidValidity}, generation = ${to.generation}, last_uid = 0,
        reset_until = ${to.until}, moved_at = now(),
        reset_since = greatest(first_seen_at - make_interval(secs => ${seconds(firstSlack)}),
          newest_at - make_interval(secs => ${seconds(resetSlack)}))
      where mailbox = ${mailbox} and uid_validity = ${from.uidValidity} and generation = ${from.generation}
      and last_uid = ${from.lastUid}`
  )

/** Digests of mails that were processed before. */
export const takenBefore = (mailbox: string, digests: ReadonlyArray<string>) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql<{
        digest: string
      }>`select digest from alarm_bridge.taken_mail where mailbox = ${mailbox} and digest = any(${digests}::text[])`,
      (rows) => new Set(rows.map((row) => row.digest))
    )
  )

/** Sends the triggers and moves the cursor in one transaction; false when the cursor was not at `from`. */
export const advance = (
  mailbox: string,
  from: Cursor,
  lastUid: number,
  takes: ReadonlyArray<Take>
): Effect.Effect<boolean, SqlError.SqlError, SqlClient.SqlClient | Jobs> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const jobs = yield* Jobs
    const now = Date.now()
    // A future date would make all mails after a reset look old.
    const newest =
      takes.length === 0 ? null : new Date(Math.min(now, Math.max(...takes.map((take) => take.internalDate.getTime()))))
    return yield* sql.withTransaction(
      Effect.gen(function* () {
        const moved = yield* sql`update alarm_bridge.mailbox_cursor set
          last_uid = ${lastUid}, moved_at = now(), newest_at = greatest(newest_at, ${newest}::timestamptz),
          last_mail_at = case when ${takes.length > 0}::boolean then now() else last_mail_at end
        where mailbox = ${mailbox} and uid_validity = ${from.uidValidity} and generation = ${from.generation}
        and last_uid = ${from.lastUid}
        returning 1 as moved`
        if (moved.length === 0) return false
        if (takes.length > 0) {
          yield* sql`insert into alarm_bridge.taken_mail (mailbox, digest, internal_at)
          select ${mailbox}, digest, internal_at
            from unnest(${takes.map((take) => take.digest)}::text[],
              ${takes.map((take) => take.internalDate.toISOString())}::timestamptz[]) as t (digest, internal_at)
          on conflict (mailbox, digest) do update
            set internal_at = greatest(taken_mail.internal_at, excluded.internal_at)`
          yield* jobs.send(
            AlarmTrigger,
            takes.map(({ trigger }) => ({ data: trigger, key: trigger.trigger_key }))
          )
        }
        return true
      })
    )
  })

/** Deletes digests that are too old to matter after a reset. */
export const sweep = (mailbox: string) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) =>
      sql`delete from alarm_bridge.taken_mail t using alarm_bridge.mailbox_cursor c
      where t.mailbox = ${mailbox} and c.mailbox = t.mailbox
      and t.internal_at < c.newest_at - make_interval(secs => ${seconds(takenKept)})`
  )

/** Cursors of all mailboxes ever watched, for the status endpoint. */
export const listAll = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) =>
    sql<{ mailbox: string; last_uid: bigint; last_mail_at: Date | null }>`
    select mailbox, last_uid, last_mail_at from alarm_bridge.mailbox_cursor`
)
