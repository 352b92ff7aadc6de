/**
 * Notifications shown to users in the application. A daemon requests one with the job `NotificationWanted`; the
 * recipient receives the event `notification.created`. Source: interface document 1 §2.5, §6.
 */
import { Schema } from "effect"
import { define } from "../events/Events.ts"
import { BodyId, plainText } from "../http/Paging.ts"
import * as Jobs from "../jobs/Jobs.ts"

export const NotificationSeverity = Schema.Literals(["info", "success", "warning", "error"])
export type NotificationSeverity = typeof NotificationSeverity.Type

/**
 * Free word, so that new categories need no change here: `system`, `payment`, `dunning`, `crm`, `security`, `mail`,
 * `provisioning`.
 */
export const NotificationCategory = Schema.String.check(Schema.isMaxLength(30), Schema.isPattern(/^[a-z][a-z0-9_]*$/))

/** Name of what happened, written like an event type: `payment.received`. */
export const NotificationType = Schema.String.check(
  Schema.isMaxLength(50),
  Schema.isPattern(/^[a-z][a-z0-9_]*(\.[a-z0-9_]+)*$/)
)

/** Longest message. Unit: UTF-16 units. Reason: it is shown in a list and sent to every socket of the recipient. */
export const maxBody = 10_000

/** Longest extra data. Unit: UTF-16 units of its JSON. Reason: as for `maxBody`. */
export const maxData = 16_384

/** Maximum number of moments in a text. Reason: each is sought in it, and texts of daemons name fewer. */
export const maxTimes = 50

const Body = Schema.String.check(
  Schema.isMinLength(1),
  Schema.isMaxLength(maxBody),
  Schema.makeFilter((text: string) =>
    /(?![\t\n\r])\p{Cc}/u.test(text) || !text.isWellFormed() ? "must not contain control characters" : undefined
  )
)

const Data = Schema.Record(Schema.String, Schema.Json).check(
  Schema.makeFilter((data) => {
    const text = JSON.stringify(data)
    // JSON escapes of characters that Postgres rejects in jsonb.
    return /(?<!\\)(\\\\)*\\u(0000|d[89a-f])/.test(text)
      ? "must not hold NUL or lone surrogates"
      : text.length > maxData
        ? `must not be longer than ${maxData}`
        : undefined
  })
)

/**
 * Target of a click: a path of this site, or an http(s) URL. Other schemes are refused, so a browser cannot be made to
 * run code.
 */
const ActionUrl = Schema.String.check(
  Schema.isMaxLength(500),
  Schema.isPattern(/^(\/(?![/\\])|https?:\/\/)[^\s\p{Cc}\p{Cs}\\]*$/u)
)

/** Content of a notification, without the recipient. */
export const notificationContent = {
  type: NotificationType,
  category: NotificationCategory,
  severity: NotificationSeverity,
  title: plainText(255),
  body: Body,
  /** Name of an icon. */
  icon: Schema.optionalKey(plainText(50)),
  data: Schema.optionalKey(Data),
  /** Type of the related entity, such as `invoice`, and its id. */
  entity_type: Schema.optionalKey(plainText(30)),
  entity_id: Schema.optionalKey(plainText(36)),
  action_url: Schema.optionalKey(ActionUrl)
}
export const NotificationContent = Schema.Struct(notificationContent)
export type NotificationContent = typeof NotificationContent.Type

/** A stored notification, as lists and the event show it. Times are ISO 8601. */
export const Notification = Schema.Struct({
  id: Schema.Int,
  uuid: Schema.String,
  user_id: Schema.Int,
  tenant_id: Schema.Int,
  type: Schema.String,
  channel: Schema.Literals(["app", "email", "messenger"]),
  category: Schema.String,
  severity: NotificationSeverity,
  icon: Schema.NullOr(Schema.String),
  title: Schema.String,
  body: Schema.String,
  data: Schema.Record(Schema.String, Schema.Json),
  entity_type: Schema.NullOr(Schema.String),
  entity_id: Schema.NullOr(Schema.String),
  action_url: Schema.NullOr(Schema.String),
  /** Null: unread. */
  read_at: Schema.NullOr(Schema.String),
  created_at: Schema.String
}).annotate({ identifier: "Notification" })
export type Notification = typeof Notification.Type

/**
 * Sent to the recipient alone. `browser` and `speech`: the recipient wants a desktop notification, or wants it read
 * aloud.
 */
export const NotificationCreated = define(
  "notification.created",
  Schema.Struct({
    ...Notification.fields,
    browser: Schema.optionalKey(Schema.Boolean),
    speech: Schema.optionalKey(Schema.Boolean)
  })
)

/** Recipients: one user, or every active admin of a tenant. */
export const NotificationRecipient = Schema.Union([
  Schema.Struct({ user_id: BodyId }),
  Schema.Struct({ tenant_admins: BodyId })
])
export type NotificationRecipient = typeof NotificationRecipient.Type

/**
 * Requests a notification. Send it in the transaction of the change it reports. A `key` that was used before creates
 * none.
 */
export const NotificationWanted = Jobs.define(
  "notification.wanted",
  Schema.Struct({
    /** Deduplication key, remembered for 30 days: `invoice.overdue:4711`. */
    key: plainText(200),
    to: NotificationRecipient,
    content: NotificationContent,
    /** Title and body by the code of the reader's language; English for others. Default: those of `content` for all. */
    words: Schema.optionalKey(
      Schema.Record(
        Schema.String.check(Schema.isMaxLength(12)),
        Schema.Struct({ title: notificationContent.title, body: notificationContent.body })
      )
    ),
    /**
     * Moments that title and body name, as ISO 8601; the texts have them as `momentIn` in UTC (core/words/TimeZone.ts).
     * A reader whose account has a time zone gets them in that zone.
     */
    times: Schema.optionalKey(Schema.Array(Schema.String).check(Schema.isMaxLength(maxTimes)))
  })
)
