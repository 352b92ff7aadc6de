/**
 * Creates a notification for its readers on the channels they chose. The row, its event and the outgoing messages are
 * committed in the surrounding transaction, with its role.
 */
import { Clock, Effect } from "effect"
import { NotificationCreated, type NotificationContent } from "#core/contracts/Notifications.ts"
import { Events } from "#core/events/Events.ts"
import { channelsFor, type NotificationChannel } from "./ChannelChoice.ts"
import type { Member } from "./Members.ts"
import * as NotificationStore from "./NotificationStore.ts"
import * as Outgoing from "./OutgoingMessages.ts"
import * as PreferenceStore from "./PreferenceStore.ts"
import * as PushStore from "./push/PushStore.ts"
import * as SettingStore from "./SettingsStore.ts"
import { laterAt, quietFor, type TellingSettings } from "./DeliveryTime.ts"

const source = "comm-dispatcher"

/** Result for one reader. */
export interface Told {
  readonly user_id: number
  /** Uuid of the stored notification; null: the reader has turned off this type in the app. */
  readonly uuid: string | null
  /** Whether a mail will be sent. */
  readonly email: boolean
  /** Whether a message will be sent. */
  readonly messenger: boolean
}

/** Whether each outgoing channel is configured. */
export type Ways = Readonly<Record<Outgoing.OutgoingChannel, boolean>>

interface Decided {
  readonly reader: Member
  readonly channels: ReadonlySet<NotificationChannel>
  readonly settings: TellingSettings
  /** Whether the reader has a push subscription. */
  readonly pushed: boolean
}

export const create = Effect.fnUntraced(function* (
  readers: ReadonlyArray<Member>,
  content: NotificationContent,
  ways: Ways
) {
  const events = yield* Events
  const users = readers.map(({ user_id }) => user_id)
  const choices = yield* PreferenceStore.read(users)
  const settings = yield* SettingStore.read(users)
  const pushed = yield* PushStore.having(users)
  const now = yield* Clock.currentTimeMillis
  const decided = readers.map((reader): Decided => ({
    reader,
    channels: channelsFor(
      content,
      choices.filter(({ user_id }) => user_id === reader.user_id)
    ),
    settings: settings(reader.user_id),
    pushed: pushed.has(reader.user_id)
  }))
  const rows = yield* NotificationStore.insert(
    decided.filter(({ channels }) => channels.has("app")).map(({ reader }) => reader),
    content
  )
  const byUser = new Map(decided.map((one) => [one.reader.user_id, one]))
  yield* events.emitAll(
    NotificationCreated,
    source,
    rows.map((row) => ({
      data: { ...row, ...onPage(byUser.get(row.user_id)!, content, now) },
      audience: { tenantId: row.tenant_id, userId: row.user_id }
    }))
  )
  const uuidOf = (user: number) => rows.find((row) => row.user_id === user)?.uuid
  const leaving = decided.flatMap((one) =>
    leavingOf(one, content, ways, now).map((outgoing) => ({ ...outgoing, uuid: uuidOf(one.reader.user_id) }))
  )
  yield* Outgoing.send(leaving, content)
  const goes = (user: number, channel: Outgoing.OutgoingChannel) =>
    leaving.some((one) => one.reader.user_id === user && one.channel === channel)
  return readers.map(({ user_id }): Told => ({
    user_id,
    uuid: uuidOf(user_id) ?? null,
    email: goes(user_id, "email"),
    messenger: goes(user_id, "messenger")
  }))
})

/** Effects on an open page. In quiet hours the page stays silent; sounds are not repeated later. */
const onPage = ({ channels, settings }: Decided, { severity }: NotificationContent, now: number) => {
  const silent = quietFor(settings, severity, now) !== undefined
  return { browser: channels.has("browser") && !silent, speech: channels.has("speech") && !silent }
}

/** Outgoing messages of one reader. A push needs a stored notification. */
const leavingOf = (
  { channels, pushed, reader, settings }: Decided,
  { severity }: NotificationContent,
  ways: Ways,
  now: number
): ReadonlyArray<Omit<Outgoing.Outgoing, "uuid">> =>
  Outgoing.outgoingChannels
    .filter(
      (channel) =>
        reader.active &&
        ways[channel] &&
        channels.has(channel) &&
        (channel !== "browser" || (pushed && channels.has("app")))
    )
    .map((channel) => ({ reader, channel, at: laterAt(settings, channel, severity, now) }))
