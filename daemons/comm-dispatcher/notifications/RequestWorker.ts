/** Creates the notifications that other daemons request (core/contracts/Notifications), once per key. */
import type { PgClient } from "@effect/sql-pg"
import { Effect, Schema } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { NotificationWanted } from "#core/contracts/Notifications.ts"
import type { Events } from "#core/events/Events.ts"
import { type ClaimedJob, Jobs } from "#core/jobs/Jobs.ts"
import { transaction } from "#core/sql/Sql.ts"
import { languageOfAccount } from "#core/words/ChooseLanguage.ts"
import { timesInZone } from "#core/words/TimeZone.ts"
import { configuredWays } from "./ConfiguredWays.ts"
import * as Create from "./CreateNotification.ts"
import * as Members from "./Members.ts"

/**
 * Maximum number of tries of a job for an unknown reader. Unit: tries, up to a minute apart. Reason: the user's event
 * may arrive seconds after the job.
 */
const mostTries = 10

/** Maximum number of jobs handled at once in one process. Reason: each is one short transaction. */
const concurrency = 2

/** The reader's event has not arrived yet, or the reader does not exist. */
class ReaderUnknown extends Schema.TaggedError<ReaderUnknown>()("ReaderUnknown", {}) {
  override get message() {
    return "no recipient of the notification is known"
  }
}

export const wantedWorker = Effect.gen(function* () {
  const ways = yield* configuredWays
  const handle = (
    job: ClaimedJob<typeof NotificationWanted.data.Type>
  ): Effect.Effect<void, unknown, SqlClient.SqlClient | PgClient.PgClient | Events | Jobs> =>
    transaction(
      Effect.gen(function* () {
        const { content, key, times = [], to, words } = job.data
        const readers = yield* Members.recipients(to)
        if (readers.length === 0 && job.retries < mostTries) return yield* new ReaderUnknown()
        if (readers.length === 0)
          yield* Effect.logWarning(
            `the notification ${content.type} has no recipient: ${JSON.stringify(to)} is not known`
          )
        else if (yield* isNew(readers[0]!.tenant_id, key))
          for (const group of alike(readers, times.length > 0).values()) {
            const { locale, time_zone } = group[0]!
            const language = languageOfAccount(locale)
            const worded = { ...content, ...(words?.[language] ?? words?.["en"]) }
            const inZone = (text: string) => timesInZone(text, times, language, time_zone)
            yield* Create.create(group, { ...worded, title: inZone(worded.title), body: inZone(worded.body) }, ways())
          }
        yield* job.complete
      })
    )
  yield* Jobs.worker({ type: NotificationWanted, concurrency, handle })
})

/** Readers who get the same texts: those of one language, and of one time zone when the texts have times. */
const alike = (readers: ReadonlyArray<Members.Member>, timed: boolean) =>
  Map.groupBy(readers, ({ locale, time_zone }) => `${languageOfAccount(locale)} ${timed ? time_zone : ""}`)

/** Stores the key; false when it is known. A concurrent call with the same key waits for the first. */
const isNew = (tenantId: number, key: string): Effect.Effect<boolean, SqlError.SqlError, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const made = yield* sql`insert into comm_dispatcher.notification_key (tenant_id, key) values (${tenantId}, ${key})
        on conflict do nothing returning 1`
    return made.length > 0
  })
