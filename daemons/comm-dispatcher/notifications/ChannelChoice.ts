/** By which channels somebody is told of something: what they chose, else what is usual. Pure. Source: interface document 1 §2.5. */
import { Schema } from "effect"
import type { NotificationSeverity } from "#core/contracts/Notifications.ts"
import { matches } from "#core/events/Events.ts"

/**
 * `app`: the stored notification, and its event. `email`: a mail to the user's address. `messenger`: a message to the chat they confirmed.
 * `browser`: the event asks the page for a notification of the desktop. `speech`: it asks the page to speak. The last two need `app`.
 */
export const notificationChannels = ["app", "email", "messenger", "browser", "speech"] as const
export const NotificationChannel = Schema.Literals(notificationChannels)
export type NotificationChannel = typeof NotificationChannel.Type

/** A type of event, all below a prefix (`payment.*`), or `*`. */
export const EventPattern = Schema.String.check(
  Schema.isMaxLength(100),
  Schema.isPattern(/^(\*|[a-z][a-z0-9_]*(\.[a-z0-9_]+)*(\.\*)?)$/)
)

/** What a user chose for one channel. */
export interface Choice {
  readonly event_type: string
  readonly channel: NotificationChannel
  readonly enabled: boolean
}

/** What holds where nothing was chosen. A mail for what has gone wrong, since nobody may be looking; calls are spoken, for the hands are busy. */
const usual: Readonly<
  Record<NotificationChannel, (event: { readonly type: string; readonly severity: NotificationSeverity }) => boolean>
> = {
  app: () => true,
  email: ({ severity }) => severity === "error",
  messenger: () => false,
  browser: ({ severity }) => severity === "error" || severity === "warning",
  speech: ({ type }) => matches("call.*", type)
}

/** The most specific choice that fits decides, for each channel: the type itself, then the longest prefix, then `*`. */
export const channelsFor = (
  event: { readonly type: string; readonly severity: NotificationSeverity },
  choices: ReadonlyArray<Choice>
): ReadonlySet<NotificationChannel> =>
  new Set(
    notificationChannels.filter((channel) => {
      const fitting = choices.filter((choice) => choice.channel === channel && matches(choice.event_type, event.type))
      const [first] = fitting.toSorted((a, b) => specificity(b.event_type) - specificity(a.event_type))
      return first?.enabled ?? usual[channel](event)
    })
  )

/** Of patterns that fit the same type: an exact one is no shorter than the type, and so than any prefix of it. */
const specificity = (pattern: string): number =>
  pattern === "*" ? 0 : pattern.endsWith(".*") ? pattern.length - 1 : pattern.length + 1
