/** Makes the notifications that other daemons ask for (core/contracts/Notifications), each key once. */
import type { PgClient } from "@effect/sql-pg"
import { Effect, Schema } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { NotificationWanted } from "#core/contracts/Notifications.ts"
import type { Events } from "#core/events/Events.ts"
import { type ClaimedJob, Jobs } from "#core/jobs/Jobs.ts"
import { transaction } from "#core/sql/Sql.ts"
import { configuredWays } from "./ConfiguredWays.ts"
import * as Create from "./CreateNotification.ts"
import * as Members from "./Members.ts"

/** How often a job for somebody unknown goes again. Unit: times, up to a minute apart. Reason: their event is behind the job by seconds. */
const mostTries = 10

/** In hand at once in one process. Unit: jobs. Reason: each is one short transaction. */
const concurrency = 2

/** The reader has not come to us yet, or never was. */
class ReaderUnknown extends Schema.TaggedError<ReaderUnknown>()("ReaderUnknown", {}) {
  override get message() {
    return "nobody is known whom this notification is for"
  }
}

export const wantedWorker = Effect.gen(function* () {
  const ways = yield* configuredWays
  const handle = (
    job: ClaimedJob<typeof NotificationWanted.data.Type>
  ): Effect.Effect<void, unknown, SqlClient.SqlClient | PgClient.PgClient | Events | Jobs> =>
    transaction(
      Effect.gen(function* () {
        const { content, key, to } = job.data
        const readers = yield* Members.recipients(to)
        if (readers.length === 0 && job.retries < mostTries) return yield* new ReaderUnknown()
        if (readers.length === 0)
          yield* Effect.logWarning(`nobody is told of ${content.type}: ${JSON.stringify(to)} is not known`)
        else if (yield* isNew(readers[0]!.tenant_id, key)) yield* Create.create(readers, content, ways)
        yield* job.complete
      })
    )
  yield* Jobs.worker({ type: NotificationWanted, concurrency, handle })
})

/** Remembers the key; whoever comes with it again waits for the first, and is told that it is not new. */
const isNew = (tenantId: number, key: string): Effect.Effect<boolean, SqlError.SqlError, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const made =
      yield* sql`insert into comm_dispatcher.notification_key (tenant_id, key) values (${tenantId}, ${key}) on conflict do nothing returning 1`
    return made.length > 0
  })
