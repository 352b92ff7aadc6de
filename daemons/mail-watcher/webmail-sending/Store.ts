/**
 * SQL of sent mails. A row per mail makes repeats with the same Idempotency-Key safe and limits the sending rate. The
 * row is inserted before the mail goes to the mail server and marked `sent` when the server accepted it. If the process
 * dies in between, the row stays `begun`: the outcome is unknown and this key never sends again.
 */
import { PgClient } from "@effect/sql-pg"
import { Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { createHash } from "node:crypto"
import { Caller, inScope, nameOf } from "#core/auth/Caller.ts"
import { canonical, rememberedHours } from "#core/http/Idempotency.ts"
import { IdempotencyKeyReused } from "#core/http/Problem.ts"
import * as StoredLog from "#core/limits/StoredLog.ts"
import type { Account } from "../accounts/Exports.ts"
import { OutcomeUnknown, SendingTooFast, SendingUnderWay } from "./Errors.ts"
import { wholeTimeout } from "./Submission.ts"

/**
 * Mails of one account, failed attempts included. Reason: one fewer than the limit at which mail-admin bans an address.
 */
export const mailPolicy: StoredLog.LogPolicy = {
  name: "mail_watcher.sending",
  table: "mail_watcher.sending",
  key: "account_id",
  at: "created_at",
  limit: 19,
  unit: "mails",
  window: Duration.minutes(10)
}

/** Recipients of one account. Reason: two mails with the maximal number of recipients. */
export const recipientPolicy: StoredLog.LogPolicy = {
  ...mailPolicy,
  amount: "recipients",
  limit: 200,
  unit: "recipients"
}

/** Age at which a mail is no longer being sent. Reason: twice the maximal duration. */
const underWay = Duration.times(wholeTimeout, 2)

/** How long rows are kept. Unit: hours. */
export const rememberedFor = rememberedHours

export interface Begun {
  readonly key: string | undefined
  /** Compared with the request of an earlier use of the key. */
  readonly request: unknown
  /** Message-ID with angle brackets. */
  readonly messageId: string
  readonly recipients: number
}

/** Inserts the row and returns its id, or returns the answer of an earlier request with the same key. */
export const begin = Effect.fnUntraced(function* (account: Account, mail: Begun) {
  const sql = yield* SqlClient.SqlClient
  const caller = nameOf(yield* Caller)
  const hash = hashOf(mail.request)
  return yield* inScope(
    Effect.gen(function* () {
      yield* StoredLog.lock(mailPolicy, [account.id])
      const before = yield* first(account, caller, mail.key, hash)
      if (before !== undefined) return { _tag: "Sent" as const, answer: before }
      const wait =
        (yield* StoredLog.wait(mailPolicy, [account.id])) ||
        (yield* StoredLog.wait(recipientPolicy, [account.id], mail.recipients))
      if (wait > 0) {
        return yield* new SendingTooFast({
          detail:
            `At most ${mailPolicy.limit} mails and ${recipientPolicy.limit} recipients ` +
            `in ${Duration.toMinutes(mailPolicy.window)} minutes.`
        })
      }
      yield* sql`delete from mail_watcher.sending where account_id = ${account.id} and caller = ${caller}
        and key = ${mail.key ?? null}`
      const [row] = yield* sql<{
        id: number
      }>`insert into mail_watcher.sending (tenant_id, account_id, caller, key, body_hash, message_id, recipients)
      values (${account.tenant_id}, ${account.id}, ${caller}, ${mail.key ?? null}, ${hash}, ${mail.messageId},
        ${mail.recipients}) returning id::float8 as id`
      return { _tag: "Begun" as const, id: row!.id }
    })
  )
})

const hashOf = (request: unknown): Buffer => createHash("sha256").update(canonical(request)).digest()

/** Answer of an earlier request with the same key. Undefined: the key is new. */
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
    select body_hash, state, answer, message_id,
      created_at > now() - make_interval(secs => ${Duration.toSeconds(underWay)}) as fresh
      from mail_watcher.sending where account_id = ${account.id} and caller = ${caller} and key = ${key}
        and created_at > now() - make_interval(hours => ${rememberedFor})`
  if (row === undefined) return undefined
  if (!hash.equals(row.body_hash))
    return yield* new IdempotencyKeyReused({ detail: "Use a new key for a different mail." })
  if (row.state === "sent") return row.answer
  return yield* row.fresh
    ? new SendingUnderWay({ detail: "An earlier request with this key is not finished; repeat this request later." })
    : unknown(row.message_id)
})

export const unknown = (messageId: string) =>
  new OutcomeUnknown({
    message_id: messageId,
    detail: "Look for the mail in the sent folder, or ask a recipient. The mail is not sent again under this key."
  })

/** Records that the mail was not sent. The key may be used again, but the attempt counts for the rate limit. */
export const failed = (id: number) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    inScope(sql`update mail_watcher.sending set key = null where id = ${id}`)
  )

/** Records that the mail was sent, in the surrounding transaction. `answer` is the answer to repeats. */
export const sent = (id: number, answer: unknown) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const pg = yield* PgClient.PgClient
    yield* sql`update mail_watcher.sending set state = 'sent', answer = ${pg.json(answer)} where id = ${id}`
  })
