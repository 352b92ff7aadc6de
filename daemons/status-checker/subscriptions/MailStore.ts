/** Table of mails. A claim is committed before its mail is sent and closed by its holder only. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { transaction } from "#core/sql/Sql.ts"
import type { LanguageCode } from "#core/words/TextMemory.ts"
import type { Content } from "./Content.ts"
import type { Next } from "./Retry.ts"

/** Topic for new mails that are due. */
export const mailTopic = "status-checker.mails"

/** Claimed mail. */
export interface Claim {
  readonly id: string
  readonly subscriber_id: number
  readonly kind: "confirm" | "notice"
  readonly message_id: string
  readonly content: Content
  /** Sealed token of a confirmation. */
  readonly envelope: string | null
  /** Attempt number, starting at 1. Identifies the claim together with `id`. */
  readonly attempts: number
  readonly created_at: Date
  readonly email: string
  readonly lang: LanguageCode
  readonly unsubscribe: string
  readonly unsubscribe_envelope: string
}

/** Claims the next due mail; undefined when none is due. */
export const claim = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<Claim>`with due as (
      select id from status_checker.mails where state = 'pending' and next_at <= now() order by kind, next_at, id
      limit 1 for update skip locked)
    update status_checker.mails m set state = 'attempting', attempts = m.attempts + 1
    from due, status_checker.subscribers s
     where m.id = due.id and s.id = m.subscriber_id
    returning m.id::text as id, m.subscriber_id, m.kind, m.message_id, m.content, m.envelope, m.attempts, m.created_at,
    s.email, s.lang, s.unsubscribe, s.unsubscribe_envelope`
  return row
})

/**
 * Writes the outcome of a claim. Does nothing when another process has claimed the mail, or the subscriber has left.
 */
export const close = ({ attempts, id, subscriber_id }: Pick<Claim, "attempts" | "id" | "subscriber_id">, next: Next) =>
  transaction(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      // Locks the subscriber first, in the same order as unsubscribing.
      if (next._tag === "Delivered")
        yield* sql`update status_checker.subscribers set refusals = 0 where id = ${subscriber_id} and refusals > 0`
      if (next._tag === "Failed" && next.refused)
        yield* sql`update status_checker.subscribers set refusals = refusals + 1 where id = ${subscriber_id}`
      const mine = sql`where id = ${id}::bigint and state = 'attempting' and attempts = ${attempts}`
      if (next._tag === "Delivered") {
        yield* sql`update status_checker.mails set state = 'delivered', done_at = now(), last_error = null,
          envelope = null ${mine}`
      } else if (next._tag === "Failed") {
        yield* sql`update status_checker.mails set state = 'failed', done_at = now(), last_error = ${next.error},
          envelope = null ${mine}`
      } else {
        yield* sql`update status_checker.mails set state = 'pending',
          next_at = now() + make_interval(secs => ${next.wait / 1_000}), last_error = ${next.error} ${mine}`
      }
    })
  )

/** Makes the claims of ended processes due again and returns their number. The sender calls it before it starts. */
export const release = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return (yield* sql`update status_checker.mails set state = 'pending', next_at = now() where state = 'attempting'
    returning 1`).length
})

/** Time until the next mail is due. Unit: milliseconds; null when none is pending. */
export const nextDue = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{
    wait: number | null
  }>`select (extract(epoch from min(next_at) - now()) * 1000)::float8 as wait from status_checker.mails
    where state = 'pending'`
  return row!.wait
})
