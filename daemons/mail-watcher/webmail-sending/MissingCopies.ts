/**
 * Copies of sent mails that could not be stored in the folder for sent mail. They stay in Postgres and are retried for
 * a day. Other mails never pass through the database.
 */
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { define } from "#core/jobs/JobContract.ts"
import { Jobs } from "#core/jobs/Jobs.ts"
import { type Account, MailSessions, accountFields } from "../accounts/Exports.ts"
import * as SentCopy from "./SentCopy.ts"

/** `sending` is the id of the mail's row. */
export const copyJob = define("mail.sent-copy", Schema.Struct({ sending: Schema.Int }))

/** Duration of the retries. Unit: hours. */
export const triedHours = 24

/** Stores the copy for a later attempt, in the surrounding transaction. */
export const keepLater = Effect.fnUntraced(function* (account: Account, sending: number, raw: Buffer) {
  const sql = yield* SqlClient.SqlClient
  const jobs = yield* Jobs
  yield* sql`insert into mail_watcher.missing_copy (sending_id, tenant_id, account_id, raw)
    values (${sending}, ${account.tenant_id}, ${account.id}, ${raw}) on conflict do nothing`
  yield* jobs.send(copyJob, [{ data: { sending }, key: String(sending) }])
})

/** Stores the copy in the folder for sent mail, or gives up after `triedHours`. */
export const keepMissingCopy = Effect.fnUntraced(function* ({
  data: { sending }
}: {
  readonly data: (typeof copyJob.data)["Type"]
}) {
  const sql = yield* SqlClient.SqlClient
  const sessions = yield* MailSessions
  const [copy] = yield* sql<{
    account_id: number
    message_id: string
    raw: Uint8Array
    created_at: Date
    late: boolean
  }>`
    select m.account_id, s.message_id, m.raw, s.created_at,
           m.created_at < now() - make_interval(hours => ${triedHours}) as late
      from mail_watcher.missing_copy m join mail_watcher.sending s on s.id = m.sending_id
     where m.sending_id = ${sending}`
  if (copy === undefined) return
  const [account] = yield* sql<Account>`
    select ${accountFields(sql)} from mail_watcher.account where id = ${copy.account_id} and not gone`
  if (account !== undefined && !copy.late) {
    yield* sessions.use(account, (client) =>
      SentCopy.keep(client, copy.message_id, Buffer.from(copy.raw), copy.created_at)
    )
  } else yield* Effect.logWarning(`gave up storing the copy of sent mail ${sending}`)
  yield* sql`delete from mail_watcher.missing_copy where sending_id = ${sending}`
})
