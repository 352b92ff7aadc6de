/**
 * Deletes expired rows: unconfirmed requests, counts and finished mails. Keeps notices, so that nothing is sent twice.
 * Placed.
 */
import { Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as StoredLog from "#core/limits/StoredLog.ts"
import { periodic } from "#core/supervision/Periodic.ts"
import type { ActorSpec } from "#core/supervision/Supervisor.ts"
import { addressPolicy, clientPolicy, linkHours } from "./SignUpLimits.ts"

/** Interval of the rounds. */
const every = Duration.minutes(10)

/** How long finished mails are kept. Unit: days. Reason: operators may be asked whether a mail was sent. */
export const mailDays = 14

/** How long a used link still shows the confirmed page. Unit: days. */
const usedLinkDays = 30

/** Rows of one statement. Reason: a statement of several seconds would delay all event readers. */
const batch = 2_000

/** One round. */
export const prune = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* StoredLog.prune(clientPolicy, addressPolicy)
  yield* sql`delete from status_checker.confirmations where (used_at is null and expires_at < now())
    or expires_at < now() - make_interval(days => ${usedLinkDays})`
  const pending = yield* sql`delete from status_checker.subscribers s where status = 'pending'
      and created_at < now() - make_interval(hours => ${linkHours})
    and not exists (select 1 from status_checker.confirmations c where c.subscriber_id = s.id) returning 1`
  let mails = 0
  while (true) {
    const gone = yield* sql`delete from status_checker.mails where id in (
      select id from status_checker.mails where done_at < now() - make_interval(days => ${mailDays}) limit ${batch})
      returning 1`
    mails += gone.length
    if (gone.length < batch) return { pending: pending.length, mails }
  }
})

export const pruning: ActorSpec<SqlClient.SqlClient> = periodic({
  name: "subscriber pruning",
  every,
  round: Effect.map(prune, ({ mails, pending }) => `removed ${pending} subscribers never confirmed, ${mails} mails`)
})
