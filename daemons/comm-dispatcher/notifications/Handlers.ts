import { Effect } from "effect"
import * as Handlers from "#core/http/Handlers.ts"
import * as Audit from "#core/log/Audit.ts"
import { Caller, type CallerInfo, inScope } from "#core/auth/Caller.ts"
import { client } from "#core/http/Client.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import { defaultPage, paged } from "#core/http/Paging.ts"
import { InvalidRequest, NotFound, orUnavailable } from "#core/http/Problem.ts"
import { NotificationsApi, NotificationsMade } from "./Api.ts"
import { configuredWays } from "./ConfiguredWays.ts"
import * as Create from "./CreateNotification.ts"
import * as Members from "./Members.ts"
import * as NotificationStore from "./NotificationStore.ts"
import * as Outgoing from "./OutgoingMessages.ts"
import * as PreferenceStore from "./PreferenceStore.ts"
import * as SettingStore from "./SettingsStore.ts"

const noSuchNotification = new NotFound({ detail: "The notification does not exist." })
const noSuchReader = new NotFound({ detail: "No user matches the request." })

/** The user whose notifications the caller may see; null: all users. */
const ownerOf = (caller: CallerInfo): number | null => (caller.kind === "user" ? caller.userId : null)
const owner = Effect.map(Caller, ownerOf)

/** The signed-in user. The middleware admits no other caller. */
const user = Effect.flatMap(Caller, (caller) =>
  caller.kind === "user" ? Effect.succeed(caller) : Effect.die(new Error("a service token got past UsersOnly"))
)

/** Records the caller's act in the audit log. */
const note = Effect.fnUntraced(function* (entry: Omit<Audit.Entry, "actor" | "address">) {
  const { address } = yield* client
  yield* Audit.writeFor({ ...entry, address })
})

export const notificationHandlers = Handlers.group(
  NotificationsApi,
  "notifications",
  Effect.fn(function* (handlers) {
    const ways = yield* configuredWays
    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query: { before, category, limit = defaultPage, unread_only, user_id } }) {
        const filter = {
          owner: yield* owner,
          user: user_id,
          unread: unread_only === "true",
          category,
          before,
          limit: limit + 1
        }
        return paged(yield* orUnavailable(inScope(NotificationStore.list(filter))), limit)
      }),
      summary: Effect.fnUntraced(function* ({ query }) {
        return yield* orUnavailable(inScope(NotificationStore.summary(yield* owner, query.user_id)))
      }),
      create: Effect.fnUntraced(function* ({ headers, payload }) {
        const { tenant_id, user_id, ...content } = payload
        if ((user_id === undefined) === (tenant_id === undefined)) {
          return yield* new InvalidRequest({
            errors: [{ field: "payload.user_id", message: "Exactly one of user_id and tenant_id is required." }]
          })
        }
        return yield* orUnavailable(
          Idempotency.once({
            key: headers["idempotency-key"],
            endpoint: "notifications.create",
            body: payload,
            response: NotificationsMade,
            create: Effect.gen(function* () {
              const readers = yield* Members.recipients(
                user_id === undefined ? { tenant_admins: tenant_id! } : { user_id }
              )
              if (readers.length === 0) return yield* noSuchReader
              const items = yield* Create.create(readers, content, ways())
              yield* note({
                tenantId: readers[0]!.tenant_id,
                action: "notification.created",
                entity: "notification",
                id: items[0]!.uuid ?? "none",
                detail: { type: content.type, readers: items.map((item) => item.user_id) }
              })
              return { items }
            })
          })
        )
      }),
      read: Effect.fnUntraced(function* ({ params }) {
        if (!(yield* orUnavailable(inScope(NotificationStore.markRead(params.uuid, yield* owner)))))
          return yield* noSuchNotification
      }),
      unread: Effect.fnUntraced(function* ({ params }) {
        if (!(yield* orUnavailable(inScope(NotificationStore.markUnread(params.uuid, yield* owner)))))
          return yield* noSuchNotification
      }),
      readAll: Effect.fnUntraced(function* ({ query }) {
        const { userId } = yield* user
        return yield* orUnavailable(inScope(NotificationStore.markAllRead(userId, query.category)))
      }),
      unreadAll: Effect.fnUntraced(function* ({ query }) {
        const { userId } = yield* user
        return { unread: yield* orUnavailable(inScope(NotificationStore.markAllUnread(userId, query.read_at))) }
      }),
      remove: Effect.fnUntraced(function* ({ params }) {
        const mine = yield* owner
        const gone = yield* orUnavailable(
          inScope(
            Effect.tap(NotificationStore.remove(params.uuid, mine), (row) =>
              row === undefined
                ? Effect.void
                : note({
                    tenantId: row.tenant_id,
                    action: "notification.removed",
                    entity: "notification",
                    id: params.uuid,
                    detail: { type: row.type, user: row.user_id }
                  })
            )
          )
        )
        if (gone === undefined) return yield* noSuchNotification
      }),
      preferences: Effect.fnUntraced(function* () {
        const { userId } = yield* user
        return { items: yield* orUnavailable(inScope(PreferenceStore.read([userId]))) }
      }),
      settings: Effect.fnUntraced(function* () {
        const { userId } = yield* user
        return (yield* orUnavailable(inScope(SettingStore.read([userId]))))(userId)
      }),
      changeSettings: Effect.fnUntraced(function* ({ payload }) {
        const { tenantId, userId } = yield* user
        yield* orUnavailable(
          inScope(
            Effect.gen(function* () {
              yield* SettingStore.write({ userId, tenantId }, payload)
              yield* Outgoing.replan(userId, payload)
              yield* note({
                tenantId,
                action: "preferences.changed",
                entity: "user",
                id: String(userId),
                detail: { digest: payload.digest, quiet: payload.quiet !== null }
              })
            })
          )
        )
        return payload
      }),
      choose: Effect.fnUntraced(function* ({ payload: { items } }) {
        const { tenantId, userId } = yield* user
        const twice = items.findIndex((item, index) =>
          items
            .slice(0, index)
            .some(({ channel, event_type }) => channel === item.channel && event_type === item.event_type)
        )
        if (twice >= 0) {
          return yield* new InvalidRequest({
            errors: [{ field: `payload.items[${twice}].event_type`, message: "Occurs twice for this channel." }]
          })
        }
        return yield* orUnavailable(
          inScope(
            Effect.gen(function* () {
              yield* PreferenceStore.replace({ userId, tenantId }, items)
              yield* note({
                tenantId,
                action: "preferences.changed",
                entity: "user",
                id: String(userId),
                detail: { notifications: items.length }
              })
              return { items: yield* PreferenceStore.read([userId]) }
            })
          )
        )
      })
    })
  })
)
