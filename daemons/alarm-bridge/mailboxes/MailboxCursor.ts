/**
 * The cursors in the database. A cursor moves in the transaction that sends the triggers, and only from where its mover
 * believed it to be: of two runners that hold a mailbox for a moment, the second moves nothing and sends nothing.
 */
import { Duration, Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { AlarmTrigger } from "#core/contracts/Alarm.ts"
import { Jobs } from "#core/jobs/Jobs.ts"
import type { Cursor } from "./MailboxOpening.ts"
import type { Trigger } from "../intake/Triggers.ts"

/**
 * After a reset, mails count as new from this long before the newest one taken. Reason: mail servers deliver in
 * parallel, and a copied mail keeps its date; what was taken in that time is known by its bytes.
 */
const resetSlack = Duration.hours(1)

/** The same before the first start. Reason: differing clocks; longer would raise alarms of the time before. */
const firstSlack = Duration.minutes(2)

/** How long the bytes of taken mails are remembered, counted back from the newest. Reason: beyond `resetSlack`. */
const takenKept = Duration.hours(3)

/** A mail to be taken. */
export interface Take {
  readonly trigger: Trigger
  /** SHA-256 of the bytes, hex. */
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
    }>`select uid_validity, generation, last_uid, reset_until, reset_since from alarm_bridge.mailbox_cursor where mailbox = ${mailbox}`
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

/** The first sight of a mailbox; nothing when somebody else was first. */
export const begin = (mailbox: string, uidValidity: bigint, lastUid: number) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) =>
      sql`insert into alarm_bridge.mailbox_cursor (mailbox, uid_validity, last_uid) values (${mailbox}, ${uidValidity}, ${lastUid})
      on conflict do nothing`
  )

/** The mailbox was reset: everything up to `until` is to be sifted. Nothing when the cursor is no longer `from`. */
export const reset = (
  mailbox: string,
  from: Cursor,
  to: { readonly uidValidity: bigint; readonly generation: number; readonly until: number }
) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) =>
      sql`update alarm_bridge.mailbox_cursor set
        uid_validity = ${to.uidValidity}, generation = ${to.generation}, last_uid = 0, reset_until = ${to.until}, moved_at = now(),
        reset_since = greatest(first_seen_at - make_interval(secs => ${seconds(firstSlack)}), newest_at - make_interval(secs => ${seconds(resetSlack)}))
      where mailbox = ${mailbox} and uid_validity = ${from.uidValidity} and generation = ${from.generation} and last_uid = ${from.lastUid}`
  )

/** Which of these digests were taken before. */
export const takenBefore = (mailbox: string, digests: ReadonlyArray<string>) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql<{
        digest: string
      }>`select digest from alarm_bridge.taken_mail where mailbox = ${mailbox} and digest = any(${digests}::text[])`,
      (rows) => new Set(rows.map((row) => row.digest))
    )
  )

/** Sends the triggers and moves the cursor, in one transaction; false when the cursor was not at `from`. */
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
    // A date in the future would make everything after a reset look old.
    const newest =
      takes.length === 0 ? null : new Date(Math.min(now, Math.max(...takes.map((take) => take.internalDate.getTime()))))
    return yield* sql.withTransaction(
      Effect.gen(function* () {
        const moved = yield* sql`update alarm_bridge.mailbox_cursor set
          last_uid = ${lastUid}, moved_at = now(), newest_at = greatest(newest_at, ${newest}::timestamptz),
          last_mail_at = case when ${takes.length > 0}::boolean then now() else last_mail_at end
        where mailbox = ${mailbox} and uid_validity = ${from.uidValidity} and generation = ${from.generation} and last_uid = ${from.lastUid}
        returning 1 as moved`
        if (moved.length === 0) return false
        if (takes.length > 0) {
          yield* sql`insert into alarm_bridge.taken_mail (mailbox, digest, internal_at)
          select ${mailbox}, digest, internal_at
            from unnest(${takes.map((take) => take.digest)}::text[], ${takes.map((take) => take.internalDate.toISOString())}::timestamptz[]) as t (digest, internal_at)
          on conflict (mailbox, digest) do update set internal_at = greatest(taken_mail.internal_at, excluded.internal_at)`
          yield* jobs.send(
            AlarmTrigger,
            takes.map(({ trigger }) => ({ data: trigger, key: trigger.trigger_key }))
          )
        }
        return true
      })
    )
  })

/** Forgets the bytes of mails that no reset can bring back as new. */
export const sweep = (mailbox: string) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) =>
      sql`delete from alarm_bridge.taken_mail t using alarm_bridge.mailbox_cursor c
      where t.mailbox = ${mailbox} and c.mailbox = t.mailbox and t.internal_at < c.newest_at - make_interval(secs => ${seconds(takenKept)})`
  )

/** What the status page shows of every mailbox ever watched. */
export const listAll = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) =>
    sql<{ mailbox: string; last_uid: bigint; last_mail_at: Date | null }>`
    select mailbox, last_uid, last_mail_at from alarm_bridge.mailbox_cursor`
)
