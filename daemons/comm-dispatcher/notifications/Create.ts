/**
 * Makes a notification for its readers, by the channels that each chose: the row, the event that tells of it and the mail that is to
 * go are one transaction, the surrounding one, with the role it has.
 */
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { NotificationCreated, type NotificationContent } from "#core/contracts/Notifications.ts"
import { Events } from "#core/Events.ts"
import { Jobs } from "#core/Jobs.ts"
import { channelsFor } from "./Channels.ts"
import { mailLife, NotificationEmail } from "./EmailJob.ts"
import type { Member } from "./Members.ts"
import * as NotificationStore from "./NotificationStore.ts"
import * as PreferenceStore from "./PreferenceStore.ts"

const source = "comm-dispatcher"

/** What became of it for one reader. */
export interface Told {
  readonly user_id: number
  /** Of the stored notification; null: the reader wants none of this type in the app. */
  readonly uuid: string | null
  /** Whether a mail is to go. */
  readonly email: boolean
}

/** `mails`: whether mails can be sent at all. */
export const create = Effect.fnUntraced(function*(readers: ReadonlyArray<Member>, content: NotificationContent, mails: boolean) {
  const events = yield* Events
  const jobs = yield* Jobs
  const choices = yield* PreferenceStore.read(readers.map(({ user_id }) => user_id))
  const decided = readers.map((reader) => ({ reader, channels: channelsFor(content, choices.filter(({ user_id }) => user_id === reader.user_id)) }))
  const rows = yield* NotificationStore.insert(decided.filter(({ channels }) => channels.has("app")).map(({ reader }) => reader), content)
  yield* events.emitAll(NotificationCreated, source, rows.map((data) => ({ data, audience: { tenantId: data.tenant_id, userId: data.user_id } })))
  const mailed = decided.filter(({ channels, reader }) => mails && channels.has("email") && reader.active).map(({ reader }) => reader)
  const expires_at = new Date(Date.now() + mailLife).toISOString()
  if (mailed.length > 0) {
    yield* jobs.send(NotificationEmail, mailed.map(({ user_id }) => ({ data: { id: randomUUID(), user_id, content, expires_at, tries: 0 } })))
  }
  return readers.map(({ user_id }): Told => ({
    user_id,
    uuid: rows.find((row) => row.user_id === user_id)?.uuid ?? null,
    email: mailed.some((reader) => reader.user_id === user_id)
  }))
})
