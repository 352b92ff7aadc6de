/**
 * The mails to be sent, as rows: claimed and committed before anything goes out, and closed by whoever holds the claim.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { transaction } from "#core/sql/Sql.ts"
import type { Language } from "#core/words/Language.ts"
import type { Content } from "./Content.ts"
import type { Next } from "./Retry.ts"

/** Announced when mails were written that can go now. */
export const mailTopic = "status-checker.mails"

/** A mail in hand. */
export interface Claim {
  readonly id: string
  readonly subscriber_id: number
  readonly kind: "confirm" | "notice"
  readonly message_id: string
  readonly content: Content
  /** The token of a confirmation, sealed. */
  readonly envelope: string | null
  /** This try included. With `id` it names the claim. */
  readonly attempts: number
  readonly created_at: Date
  readonly email: string
  readonly lang: Language
  readonly unsubscribe: string
  readonly unsubscribe_envelope: string
}

/** The next mail that is due, committed as being attempted; undefined: none is. */
export const claim = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<Claim>`with due as (
      select id from status_checker.mails where state = 'pending' and next_at <= now() order by kind, next_at, id limit 1 for update skip locked)
    update status_checker.mails m set state = 'attempting', attempts = m.attempts + 1 from due, status_checker.subscribers s
     where m.id = due.id and s.id = m.subscriber_id
    returning m.id::text as id, m.subscriber_id, m.kind, m.message_id, m.content, m.envelope, m.attempts, m.created_at, s.email, s.lang, s.unsubscribe, s.unsubscribe_envelope`
  return row
})

/** Writes what became of a claim; nothing when somebody else has taken it over, or the subscriber has left. */
export const close = ({ attempts, id, subscriber_id }: Pick<Claim, "attempts" | "id" | "subscriber_id">, next: Next) =>
  transaction(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      // The subscriber first, as whoever unsubscribes does.
      if (next._tag === "Delivered")
        yield* sql`update status_checker.subscribers set refusals = 0 where id = ${subscriber_id} and refusals > 0`
      if (next._tag === "Failed" && next.refused)
        yield* sql`update status_checker.subscribers set refusals = refusals + 1 where id = ${subscriber_id}`
      const mine = sql`where id = ${id}::bigint and state = 'attempting' and attempts = ${attempts}`
      if (next._tag === "Delivered") {
        yield* sql`update status_checker.mails set state = 'delivered', done_at = now(), last_error = null, envelope = null ${mine}`
      } else if (next._tag === "Failed") {
        yield* sql`update status_checker.mails set state = 'failed', done_at = now(), last_error = ${next.error}, envelope = null ${mine}`
      } else {
        yield* sql`update status_checker.mails set state = 'pending', next_at = now() + make_interval(secs => ${next.wait / 1_000}), last_error = ${next.error} ${mine}`
      }
    })
  )

/**
 * What somebody who is no more had in hand goes again at once; answers how many. For the one who sends, before it
 * begins.
 */
export const release = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return (yield* sql`update status_checker.mails set state = 'pending', next_at = now() where state = 'attempting' returning 1`)
    .length
})

/** Until the next mail is due. Unit: milliseconds; null: none waits. */
export const nextDue = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{
    wait: number | null
  }>`select (extract(epoch from min(next_at) - now()) * 1000)::float8 as wait from status_checker.mails where state = 'pending'`
  return row!.wait
})
