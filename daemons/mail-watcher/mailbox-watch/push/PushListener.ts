/** Makes the mailboxes that a mail server reported (PushNotes) scan at once, in whichever process watches them. */
import { Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Wake } from "#core/events/Wake.ts"
import { Actor, type ActorSpec } from "#core/supervision/Supervisor.ts"
import { MailboxWatch } from "../MailboxWatch.ts"
import { pushTopic } from "./PushNotes.ts"

/** Interval between two reads without an announcement. Reason: an announcement can be lost. */
const rereadInterval = Duration.seconds(30)

/** Overlap of two reads. Unit: seconds. Reason: a transaction that began earlier may become visible later. */
const overlap = 10

export const pushListener: ActorSpec<MailboxWatch | SqlClient.SqlClient | Wake> = {
  name: "calls of mail servers",
  run: Effect.gen(function* () {
    const actor = yield* Actor
    const sql = yield* SqlClient.SqlClient
    const { mailboxes } = yield* MailboxWatch
    const wakeup = yield* (yield* Wake).subscribe(pushTopic)
    let since = 0
    while (true) {
      yield* actor.progress
      const rows = yield* sql<{ id: number; at: number }>`
        select id, (extract(epoch from pushed_at) * 1000)::float8 as at from mail_watcher.account
         where pushed_at > greatest(to_timestamp(${since / 1000 - overlap}), now() - interval '1 minute')`
      for (const { at, id } of rows) {
        since = Math.max(since, at)
        const mailbox = mailboxes.get(id)
        if (mailbox === undefined || !mailbox.recordPush(at)) continue
        // With NOTIFY the server has already reported the change on the connection. The mailbox's actor receives the
        // result of the scan, and its failure too.
        if (mailbox.connection !== undefined && mailbox.connection.mode !== "notify")
          yield* Effect.forkScoped(Effect.ignore(mailbox.connection.look))
      }
      yield* wakeup.wait(rereadInterval)
    }
  })
}
