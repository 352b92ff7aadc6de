/**
 * Decides the channels of a notification: the user's choices, else the defaults. Pure. Source: interface document 1
 * §2.5.
 */
import { Schema } from "effect"
import type { NotificationSeverity } from "#core/contracts/Notifications.ts"
import { matches } from "#core/events/Events.ts"

/**
 * `app`: the stored notification, and its event. `email`: a mail to the user's address. `messenger`: a message to the
 * confirmed chat. `browser`: a desktop notification. `speech`: the page speaks. The last two need `app`.
 */
export const notificationChannels = ["app", "email", "messenger", "browser", "speech"] as const
export const NotificationChannel = Schema.Literals(notificationChannels)
export type NotificationChannel = typeof NotificationChannel.Type

/** Pattern of event types: one type, all types below a prefix (`payment.*`), or `*`. */
export const EventPattern = Schema.String.check(
  Schema.isMaxLength(100),
  Schema.isPattern(/^(\*|[a-z][a-z0-9_]*(\.[a-z0-9_]+)*(\.\*)?)$/)
)

/** A user's choice for one channel. */
export interface Choice {
  readonly event_type: string
  readonly channel: NotificationChannel
  readonly enabled: boolean
}

/**
 * Defaults without a choice. Errors are mailed, because the user may not be looking at the app; calls are spoken,
 * because the user's hands may be busy. The end of a backup goes to the messenger (interface document 3 §2.4).
 */
const usual: Readonly<
  Record<NotificationChannel, (event: { readonly type: string; readonly severity: NotificationSeverity }) => boolean>
> = {
  app: () => true,
  email: ({ severity }) => severity === "error",
  messenger: ({ type }) => matches("backup.*", type),
  browser: ({ severity }) => severity === "error" || severity === "warning",
  speech: ({ type }) => matches("call.*", type)
}

/**
 * The channels of an event. The most specific matching choice decides: the type itself, then the longest prefix, then
 * `*`.
 */
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

/** Rank among patterns that match the same type. An exact pattern is longer than any prefix of the type. */
const specificity = (pattern: string): number =>
  pattern === "*" ? 0 : pattern.endsWith(".*") ? pattern.length - 1 : pattern.length + 1
