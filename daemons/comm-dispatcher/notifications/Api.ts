import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import * as Api from "#core/http/Api.ts"
import { Authentication } from "#core/auth/Authentication.ts"
import { Requires, UsersOnly } from "#core/auth/Permissions.ts"
import { Notification, NotificationCategory, notificationContent } from "#core/contracts/Notifications.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import { BodyId, Id, page, pageOf } from "#core/http/Paging.ts"
import { NotFound } from "#core/http/Problem.ts"
import { Time } from "#core/http/Time.ts"
import { EventPattern, NotificationChannel } from "./ChannelChoice.ts"
import { push } from "./push/Api.ts"
import { TellingSettings } from "./DeliveryTime.ts"

/** Maximum number of choices per user. Reason: more than there are event types. */
const maxChoices = 200

const uuid = { uuid: Schema.String.pipe(Schema.check(Schema.isUUID())) }

/** Only notifications of this user; for callers that see all users. */
const ofUser = { user_id: Schema.optionalKey(Id) }

export const NotificationSummary = Schema.Struct({ total: Schema.Int, unread: Schema.Int }).annotate({
  identifier: "NotificationSummary"
})

const CreateRequest = Schema.Struct({
  /** Reader of the notification; alternatively every active admin of a tenant. */
  user_id: Schema.optionalKey(BodyId),
  tenant_id: Schema.optionalKey(BodyId),
  ...notificationContent
})

export const NotificationsMade = Schema.Struct({
  items: Schema.Array(
    Schema.Struct({
      user_id: Schema.Int,
      /** Null: the reader has turned off this type in the app. */
      uuid: Schema.NullOr(Schema.String),
      /** Whether a mail will be sent. */
      email: Schema.Boolean,
      /** Whether a message to the reader's chat will be sent. */
      messenger: Schema.Boolean
    })
  )
}).annotate({ identifier: "NotificationsMade" })

const Choice = Schema.Struct({ event_type: EventPattern, channel: NotificationChannel, enabled: Schema.Boolean })

const Preferences = Schema.Struct({
  items: Schema.Array(Schema.Struct({ user_id: Schema.Int, ...Choice.fields }))
}).annotate({ identifier: "NotificationPreferences" })

const NotificationSettings = TellingSettings.annotate({ identifier: "NotificationSettings" })

const usersOnly = "For signed-in users only: 403 for a service token."

/** Notifications of users, their preferences and settings. */
const notifications = HttpApiGroup.make("notifications")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: {
        ...page(Number.MAX_SAFE_INTEGER),
        unread_only: Schema.optionalKey(Schema.Literals(["true", "false"])),
        category: Schema.optionalKey(NotificationCategory),
        ...ofUser
      },
      success: pageOf(Notification)
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Notifications, newest first",
        description:
          "Users see their own notifications. Service tokens see those of all users; `user_id` selects one user."
      })
    ),
    HttpApiEndpoint.get("summary", "/summary", { query: ofUser, success: NotificationSummary }).annotateMerge(
      OpenApi.annotations({ summary: "Number of notifications, in total and unread" })
    ),
    HttpApiEndpoint.post("create", "/", {
      headers: Idempotency.headers,
      payload: CreateRequest,
      success: NotificationsMade.pipe(HttpApiSchema.status(201)),
      error: NotFound
    })
      .annotate(Requires, "notifications.manage")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Notify a user, or all admins of a tenant",
          description:
            "Exactly one of `user_id` and `tenant_id` is required. The preferences of each reader select the channels."
        })
      ),
    HttpApiEndpoint.put("read", "/:uuid/read", {
      params: uuid,
      success: HttpApiSchema.NoContent,
      error: NotFound
    }).annotateMerge(OpenApi.annotations({ summary: "Mark as read", description: "The request is idempotent." })),
    HttpApiEndpoint.delete("unread", "/:uuid/read", {
      params: uuid,
      success: HttpApiSchema.NoContent,
      error: NotFound
    }).annotateMerge(OpenApi.annotations({ summary: "Mark as unread", description: "The request is idempotent." })),
    HttpApiEndpoint.post("readAll", "/read-all", {
      query: { category: Schema.optionalKey(NotificationCategory) },
      success: Schema.Struct({ read: Schema.Int, read_at: Schema.String })
    })
      .annotate(UsersOnly, true)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Mark the caller's notifications as read, all or those of a category",
          description:
            `\`read\` is the number of notifications that were unread. \`DELETE\` with \`read_at\` takes the call ` +
            `back. ${usersOnly}`,
          override: { security: [{ user: [] }] }
        })
      ),
    HttpApiEndpoint.delete("unreadAll", "/read-all", {
      query: { read_at: Time },
      success: Schema.Struct({ unread: Schema.Int })
    })
      .annotate(UsersOnly, true)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Mark as unread what one call marked as read",
          description:
            "`read_at` is the time that `POST` answered, exactly. `unread` is the number of notifications that were " +
            `read at that time and still exist. ${usersOnly}`,
          override: { security: [{ user: [] }] }
        })
      ),
    HttpApiEndpoint.delete("remove", "/:uuid", {
      params: uuid,
      success: HttpApiSchema.NoContent,
      error: NotFound
    }).annotateMerge(OpenApi.annotations({ summary: "Remove a notification" })),
    HttpApiEndpoint.get("preferences", "/preferences", { success: Preferences })
      .annotate(UsersOnly, true)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Channel preferences of the caller",
          description:
            `Defaults when no preference matches: the app always, mail for severity error, desktop for warning and ` +
            `error, speech for calls. ${usersOnly}`,
          override: { security: [{ user: [] }] }
        })
      ),
    HttpApiEndpoint.put("choose", "/preferences", {
      payload: Schema.Struct({ items: Schema.Array(Choice).check(Schema.isMaxLength(maxChoices)) }),
      success: Preferences
    })
      .annotate(UsersOnly, true)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Replace the channel preferences of the caller",
          description:
            `Replaces all preferences. The most specific pattern decides: the type, then the ` +
            `longest prefix, then \`*\`. ${usersOnly}`,
          override: { security: [{ user: [] }] }
        })
      ),
    HttpApiEndpoint.get("settings", "/settings", { success: NotificationSettings })
      .annotate(UsersOnly, true)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Delivery times of the caller",
          description: `Returns quiet hours and digest. ${usersOnly}`,
          override: { security: [{ user: [] }] }
        })
      ),
    HttpApiEndpoint.put("changeSettings", "/settings", { payload: TellingSettings, success: NotificationSettings })
      .annotate(UsersOnly, true)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Replace the delivery times of the caller",
          description:
            "During quiet hours mails and messages are held until the end, and the page is silent; severity `error` " +
            `passes when \`errors_pass\` is set. A digest collects mails, except errors. New settings also ` +
            `apply to held notifications. ${usersOnly}`,
          override: { security: [{ user: [] }] }
        })
      )
  )
  .middleware(Authentication)
  .prefix("/api/v1/notifications")

export const NotificationsApi = Api.make("notifications").add(notifications).add(push)
