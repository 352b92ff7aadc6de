/**
 * Outgoing messages of notifications: sent at once as a job of the channel, or held until a time and sent together.
 * Holding and releasing each happen in one transaction, so that a crash neither loses nor doubles a message.
 */
import { PgClient } from "@effect/sql-pg"
import { Clock, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import type { NotificationContent } from "#core/contracts/Notifications.ts"
import { type ClaimedJob, define, Jobs } from "#core/jobs/Jobs.ts"
import { transaction } from "#core/sql/Sql.ts"
import { mailLife, NotificationEmail } from "./mail/MailWorker.ts"
import { NotificationMessage } from "./message/MessageWorker.ts"
import { NotificationPush } from "./push/PushWorker.ts"
import * as PushStore from "./push/PushStore.ts"
import * as SettingStore from "./SettingsStore.ts"
import { laterAt, quietFor, type TellingSettings } from "./DeliveryTime.ts"

/** Channels that leave the application. `browser`: one push per subscription of the user. */
export const outgoingChannels = ["email", "messenger", "browser"] as const
export type OutgoingChannel = (typeof outgoingChannels)[number]

/**
 * Maximum number of notifications in one message; the number of the rest is stated. Reason: nobody reads more, and a
 * job's row is bounded.
 */
const mostTogether = 50

/**
 * Messages due within this time are sent together with those due now. Unit: seconds. Reason: above the difference of
 * the clocks of the job engine, Postgres and this machine.
 */
const soon = 60

/** Quiet hours of a user have ended, or a digest is due. */
export const NotificationDue = define(
  "notification.due",
  Schema.Struct({ user_id: Schema.Int, channel: Schema.Literals(outgoingChannels) })
)

const jobOf = Effect.fnUntraced(function* (
  channel: OutgoingChannel,
  user_id: number,
  contents: readonly [NotificationContent, ...ReadonlyArray<NotificationContent>],
  omitted: number,
  uuid: string | undefined
) {
  const jobs = yield* Jobs
  const expires_at = new Date((yield* Clock.currentTimeMillis) + mailLife).toISOString()
  const [content, ...more] = contents
  const data = {
    id: randomUUID(),
    user_id,
    content,
    ...(more.length === 0 ? {} : { more }),
    ...(omitted === 0 ? {} : { omitted }),
    expires_at,
    tries: 0
  }
  if (channel === "email") return yield* jobs.send(NotificationEmail, [{ data }])
  if (channel === "messenger") return yield* jobs.send(NotificationMessage, [{ data }])
  // One job per browser, so that a retry for one push service does not repeat the others.
  const browsers = yield* PushStore.list(user_id)
  if (browsers.length === 0) return
  yield* jobs.send(
    NotificationPush,
    browsers.map(({ id }) => ({ data: { ...data, subscription_id: id, ...(uuid === undefined ? {} : { uuid }) } }))
  )
})

/** One message for one reader. `at`: epoch milliseconds; undefined: now. */
export interface Outgoing {
  readonly reader: { readonly user_id: number; readonly tenant_id: number }
  readonly channel: OutgoingChannel
  readonly at: number | undefined
  /** Uuid of the stored notification; undefined: not stored. */
  readonly uuid: string | undefined
}

/** Sends or holds messages in the surrounding transaction. */
export const send = Effect.fnUntraced(function* (all: ReadonlyArray<Outgoing>, content: NotificationContent) {
  const sql = yield* SqlClient.SqlClient
  const pg = yield* PgClient.PgClient
  const jobs = yield* Jobs
  for (const { at, channel, reader, uuid } of all) {
    if (at === undefined) yield* jobOf(channel, reader.user_id, [content], 0, uuid)
    else {
      yield* sql`insert into comm_dispatcher.notification_held (user_id, tenant_id, channel, content, due_at, uuid)
        values (${reader.user_id}, ${reader.tenant_id}, ${channel}, ${pg.json(content)}, ${new Date(at)},
          ${uuid ?? null})`
      yield* jobs.send(NotificationDue, [{ data: { user_id: reader.user_id, channel }, startAfter: new Date(at) }])
    }
  }
})

/** A held message. */
interface Held {
  readonly id: string
  readonly channel: OutgoingChannel
  readonly content: NotificationContent
  readonly uuid: string | null
}

/** Moves held messages to new times and sends a job for each time. */
const putOff = Effect.fnUntraced(function* (user_id: number, rows: ReadonlyArray<Held>, timeOf: (row: Held) => number) {
  const sql = yield* SqlClient.SqlClient
  const jobs = yield* Jobs
  for (const [at, together] of Map.groupBy(rows, timeOf)) {
    const due_at = new Date(at)
    yield* sql`update comm_dispatcher.notification_held set due_at = ${due_at}
      where id = any(${together.map(({ id }) => id)}::bigint[])`
    const channels = [...new Set(together.map(({ channel }) => channel))]
    yield* jobs.send(
      NotificationDue,
      channels.map((channel) => ({ data: { user_id, channel }, startAfter: due_at }))
    )
  }
})

/**
 * Reschedules a user's held messages after a change of settings. Messages that are no longer delayed are sent now. In
 * the surrounding transaction.
 */
export const replan = Effect.fnUntraced(function* (user_id: number, settings: TellingSettings) {
  const sql = yield* SqlClient.SqlClient
  const now = yield* Clock.currentTimeMillis
  const rows =
    yield* sql<Held>`select id::text as id, channel, content, uuid::text as uuid from comm_dispatcher.notification_held
    where user_id = ${user_id} order by notification_held.id for update`
  yield* putOff(user_id, rows, ({ channel, content }) => laterAt(settings, channel, content.severity, now) ?? now)
})

/**
 * Sends the due messages of a reader and channel together. Every held message has a job; the first job sends all. A
 * late job, as after an outage, may meet the next quiet hours; the messages then wait for their end.
 */
export const dueWorker = Effect.gen(function* () {
  const handle = (job: ClaimedJob<typeof NotificationDue.data.Type>) =>
    transaction(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { channel, user_id } = job.data
        const rows = yield* sql<Held>`select id::text as id, channel, content, uuid::text as uuid
            from comm_dispatcher.notification_held
        where user_id = ${user_id} and channel = ${channel}
          and due_at <= clock_timestamp() + make_interval(secs => ${soon}) order by notification_held.id for update`
        const settings = (yield* SettingStore.read([user_id]))(user_id)
        const now = yield* Clock.currentTimeMillis
        const quietEnd = ({ content }: Held) => quietFor(settings, content.severity, now + soon * 1000)
        yield* putOff(
          user_id,
          rows.filter((row) => quietEnd(row) !== undefined),
          (row) => quietEnd(row)!
        )
        const going = rows.filter((row) => quietEnd(row) === undefined)
        yield* sql`delete from comm_dispatcher.notification_held where id = any(${going.map(({ id }) => id)}::bigint[])`
        const [first, ...others] = going.map(({ content }) => content)
        const uuid = going.length === 1 ? (going[0]!.uuid ?? undefined) : undefined
        if (first !== undefined)
          yield* jobOf(
            channel,
            user_id,
            [first, ...others.slice(0, mostTogether - 1)],
            Math.max(0, going.length - mostTogether),
            uuid
          )
        yield* job.complete
      })
    )
  yield* Jobs.worker({ type: NotificationDue, handle })
})
