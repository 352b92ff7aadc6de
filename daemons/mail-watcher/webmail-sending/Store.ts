/**
 * What is known of each mail that was begun: so that a repeat with the same Idempotency-Key never sends twice, and that nobody sends
 * too much. The row is there before the mail server is asked; it says `sent` once the server has taken the mail. A process that dies in
 * between leaves `begun`: whether the mail went out nobody knows then, and it is not sent again under this key.
 */
import { PgClient } from "@effect/sql-pg"
import { Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { createHash } from "node:crypto"
import { Caller, inScope, nameOf } from "#core/auth/Caller.ts"
import { canonical, rememberedHours } from "#core/http/Idempotency.ts"
import { IdempotencyKeyReused } from "#core/http/Problem.ts"
import type { Account } from "../accounts/Exports.ts"
import { OutcomeUnknown, SendingTooFast, SendingUnderWay } from "./Errors.ts"
import { wholeTimeout } from "./Submission.ts"

/** The window of the two bounds. Unit: minutes. */
export const rateWindow = Duration.minutes(10)

/** Mails of an account in the window. Reason: one fewer than what mail-admin bans an address for. Tries that failed count. */
export const maxMails = 19

/** Recipients of an account in the window. Reason: two mails to as many as one may have. */
export const maxRecipientsInWindow = 200

/** After this a mail is not under way any more. Reason: twice what one may take. */
const underWay = Duration.times(wholeTimeout, 2)

/** How long rows are kept. Unit: hours. */
export const rememberedFor = rememberedHours

export interface Begun {
  readonly key: string | undefined
  /** What makes one request the same as another. */
  readonly request: unknown
  /** With angle brackets. */
  readonly messageId: string
  readonly recipients: number
}

/** The number of a new mail, or the answer that the same request was given before. */
export const begin = Effect.fnUntraced(function* (account: Account, mail: Begun) {
  const sql = yield* SqlClient.SqlClient
  const caller = nameOf(yield* Caller)
  const hash = hashOf(mail.request)
  return yield* inScope(
    Effect.gen(function* () {
      yield* sql`select pg_advisory_xact_lock(hashtext('mail_watcher.sending'), ${account.id})`
      const before = yield* first(account, caller, mail.key, hash)
      if (before !== undefined) return { _tag: "Sent" as const, answer: before }
      const [past] = yield* sql<{
        mails: number
        recipients: number
      }>`select count(*)::int as mails, coalesce(sum(recipients), 0)::int as recipients
      from mail_watcher.sending where account_id = ${account.id} and created_at > now() - make_interval(secs => ${Duration.toSeconds(rateWindow)})`
      if (past!.mails >= maxMails || past!.recipients + mail.recipients > maxRecipientsInWindow) {
        return yield* new SendingTooFast({
          detail: `At most ${maxMails} mails and ${maxRecipientsInWindow} recipients in ${Duration.toMinutes(rateWindow)} minutes.`
        })
      }
      yield* sql`delete from mail_watcher.sending where account_id = ${account.id} and caller = ${caller} and key = ${mail.key ?? null}`
      const [row] = yield* sql<{
        id: number
      }>`insert into mail_watcher.sending (tenant_id, account_id, caller, key, body_hash, message_id, recipients)
      values (${account.tenant_id}, ${account.id}, ${caller}, ${mail.key ?? null}, ${hash}, ${mail.messageId}, ${mail.recipients}) returning id::float8 as id`
      return { _tag: "Begun" as const, id: row!.id }
    })
  )
})

const hashOf = (request: unknown): Buffer => createHash("sha256").update(canonical(request)).digest()

/** What the same request was answered before; undefined: it is the first of its key. */
export const repeated = Effect.fnUntraced(function* (account: Account, key: string | undefined, request: unknown) {
  return yield* inScope(first(account, nameOf(yield* Caller), key, hashOf(request)))
})

const first = Effect.fnUntraced(function* (account: Account, caller: string, key: string | undefined, hash: Buffer) {
  if (key === undefined) return undefined
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{
    body_hash: Uint8Array
    state: string
    answer: unknown
    message_id: string
    fresh: boolean
  }>`
    select body_hash, state, answer, message_id, created_at > now() - make_interval(secs => ${Duration.toSeconds(underWay)}) as fresh
      from mail_watcher.sending where account_id = ${account.id} and caller = ${caller} and key = ${key}
        and created_at > now() - make_interval(hours => ${rememberedFor})`
  if (row === undefined) return undefined
  if (!hash.equals(row.body_hash))
    return yield* new IdempotencyKeyReused({ detail: "Send another key for another mail." })
  if (row.state === "sent") return row.answer
  return yield* row.fresh
    ? new SendingUnderWay({ detail: "The same request came before and is not done yet; ask again." })
    : unknown(row.message_id)
})

export const unknown = (messageId: string) =>
  new OutcomeUnknown({
    message_id: messageId,
    detail: "Look for it in the folder for sent mail, or ask a recipient; it is not sent again under this key."
  })

/** It was certainly not sent: the same key may try again. What was tried still counts. */
export const failed = (id: number) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    inScope(sql`update mail_watcher.sending set key = null where id = ${id}`)
  )

/** It was sent; `answer` is what a repeat is answered. In the surrounding transaction. */
export const sent = (id: number, answer: unknown) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const pg = yield* PgClient.PgClient
    yield* sql`update mail_watcher.sending set state = 'sent', answer = ${pg.json(answer)} where id = ${id}`
  })
