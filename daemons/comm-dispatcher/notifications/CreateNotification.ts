/**
 * Makes a notification for its readers, by the channels that each chose: the row, the event that tells of it and what is to go out are one
 * transaction, the surrounding one, with the role it has.
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

/** What became of it for one reader. */
export interface Told {
  readonly user_id: number
  /** Of the stored notification; null: the reader wants none of this type in the app. */
  readonly uuid: string | null
  /** Whether a mail is to go. */
  readonly email: boolean
  /** Whether a message is to go. */
  readonly messenger: boolean
}

/** Which ways out of the application are configured. */
export type Ways = Readonly<Record<Outgoing.OutgoingChannel, boolean>>

interface Decided {
  readonly reader: Member
  readonly channels: ReadonlySet<NotificationChannel>
  readonly settings: TellingSettings
  /** Whether a browser of theirs takes pushes. */
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

/** What an open page does beside showing it. In quiet hours it stays silent: what it says then cannot be said later. */
const onPage = ({ channels, settings }: Decided, { severity }: NotificationContent, now: number) => {
  const silent = quietFor(settings, severity, now) !== undefined
  return { browser: channels.has("browser") && !silent, speech: channels.has("speech") && !silent }
}

/** A push, as what the page shows, is of a stored notification only. */
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
