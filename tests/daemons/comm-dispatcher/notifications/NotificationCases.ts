/** Walk cases of the notification endpoints, and helpers that insert rows. */
import type { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import type { NotificationContent } from "#core/contracts/Notifications.ts"
import * as PushStore from "#daemons/comm-dispatcher/notifications/push/PushStore.ts"
import { browserKeys } from "./push/PushBrowser.ts"
import { type Cases, type Ids, list, own, thing, type Who } from "#support/walk/Case.ts"

/** User id of a `fakeUser`. */
export const numberOf = (who: Who): number => Number(who.headers["authorization"]!.split(":")[3])

let count = 0

export interface Person {
  readonly tenant: number
  readonly user: number
  readonly role?: string
  readonly state?: string
  readonly locale?: string
  readonly email?: string
  readonly name?: string
  readonly timeZone?: string
}

/** Inserts a user, as if identity had announced it. */
export const member = (
  sql: PgClient.PgClient,
  { email = "a@user.test", locale = "de", name = "A", role = "user", state = "active", tenant, timeZone, user }: Person
) =>
  sql`insert into comm_dispatcher.member (user_id, tenant_id, email, name, role, locale, time_zone, state, version)
    values (${user}, ${tenant}, ${email}, ${name}, ${role}, ${locale}, ${timeZone ?? null}, ${state}, 1)
    on conflict do nothing`

export const notificationCases = (sql: PgClient.PgClient): Cases => {
  /** Creates an unread notification with all personal data. */
  const seed = Effect.fnUntraced(function* (as: Who) {
    const user = numberOf(as)
    yield* member(sql, { tenant: as.tenant, user, email: `${as.mark}@user.test`, name: as.mark })
    const type = `walk.seed_${count++}`
    const [row] = yield* sql<{
      uuid: string
      id: number
    }>`insert into comm_dispatcher.notification (user_id, tenant_id, type, category, severity, title, body, data)
      values (${user}, ${as.tenant}, ${type}, 'system', 'info', ${as.mark}, ${as.mark}, ${sql.json({ mark: as.mark })}) returning uuid::text as uuid, id::float8 as id`
    yield* sql`insert into comm_dispatcher.notification_preference (user_id, tenant_id, event_type, channel, enabled)
      values (${user}, ${as.tenant}, 'walk.other', 'email', false) on conflict do nothing`
    yield* sql`insert into comm_dispatcher.member_chat (user_id, tenant_id, chat_id, version) values (${user}, ${as.tenant}, ${as.mark}, 1) on conflict do nothing`
    yield* sql`insert into comm_dispatcher.notification_setting (user_id, tenant_id, zone, quiet, digest, digest_at)
      values (${user}, ${as.tenant}, 'Europe/Berlin', null, 'off', '08:00') on conflict do nothing`
    const held: NotificationContent = { type, category: "system", severity: "info", title: as.mark, body: as.mark }
    yield* sql`insert into comm_dispatcher.notification_held (user_id, tenant_id, channel, content, due_at)
      values (${user}, ${as.tenant}, 'email', ${sql.json(held)}, now() + interval '1 day')`
    const browser = PushStore.idOf(user, as.mark)
    yield* sql`insert into comm_dispatcher.push_subscription (id, user_id, tenant_id, service, endpoint_hash, secret)
      values (${browser}::uuid, ${user}, ${as.tenant}, ${as.mark}, ${as.mark}, 'sealed') on conflict do nothing`
    yield* sql`insert into comm_dispatcher.notification_key (tenant_id, key) values (${as.tenant}, ${as.mark}) on conflict do nothing`
    return { uuid: row!.uuid, id: row!.id, user_id: user, browser }
  })
  const subscribed = (as: Who) => Effect.map(seed(as), ({ browser }) => ({ id: browser }))
  const named = (as: Who) => Effect.map(seed(as), ({ uuid }) => ({ uuid }))
  const never = {
    uuid: "9d3f1c52-7a3e-4b0c-8f57-0d4f3a1e6b21",
    id: Number.MAX_SAFE_INTEGER,
    user_id: 2_000_000_000,
    browser: "9d3f1c52-7a3e-4b0c-8f57-0d4f3a1e6b21"
  }
  const one = {
    seed: named,
    never: { uuid: never.uuid },
    request: ({ uuid }: Ids) => ({ path: { uuid: uuid! } }),
    success: 204,
    personal: true
  } as const
  return {
    "GET /api/v1/notifications": list({
      seed,
      never,
      personal: true,
      request: () => ({ query: { limit: 200 } }),
      success: 200,
      freeText: ["query.category"],
      shows: ({ json }) => json.items.map((item: { uuid: string }) => item.uuid),
      by: "uuid",
      naming: ({ id, user_id }) => [
        { before: id },
        { before: id, limit: 1 },
        { before: id, category: "system" },
        { user_id },
        { unread_only: "true", user_id }
      ]
    }),
    "GET /api/v1/notifications/summary": own("of the caller alone", {
      seed,
      personal: true,
      request: ({ user_id }) => ({ query: { user_id } }),
      success: 200,
      wrong: ({ json }) => (json.total >= json.unread && json.unread > 0 ? undefined : "not what was seeded")
    }),
    "POST /api/v1/notifications": thing({
      seed: (as) =>
        Effect.gen(function* () {
          const user = 1_000_000 + count++
          yield* member(sql, { tenant: as.tenant, user, name: as.mark })
          return { user_id: user }
        }),
      never: { user_id: never.user_id },
      request: ({ user_id }, { mark }) => ({
        body: {
          user_id,
          type: "walk.made",
          category: "system",
          severity: "info",
          title: mark,
          body: mark,
          icon: "bell",
          data: { mark },
          entity_type: "walk",
          entity_id: "1",
          action_url: "/walk"
        }
      }),
      success: 201,
      made: ({ json }) => json.items[0].uuid
    }),
    "PUT /api/v1/notifications/{uuid}/read": thing(one),
    "DELETE /api/v1/notifications/{uuid}/read": thing(one),
    "DELETE /api/v1/notifications/read-all": own("of the caller alone", {
      seed,
      personal: true,
      request: () => ({ query: { read_at: "2030-01-31T12:00:00.123456Z" } }),
      success: 200
    }),
    "DELETE /api/v1/notifications/{uuid}": thing(one),
    "POST /api/v1/notifications/read-all": own("of the caller alone", {
      seed,
      personal: true,
      request: () => ({ query: { category: "system" } }),
      freeText: ["query.category"],
      success: 200
    }),
    "GET /api/v1/notifications/preferences": own("of the caller alone", {
      seed,
      personal: true,
      success: 200,
      wrong: ({ json }, { user_id }) =>
        json.items.length > 0 && json.items.every((item: { user_id: number }) => item.user_id === user_id)
          ? undefined
          : "not the caller's"
    }),
    "PUT /api/v1/notifications/preferences": own("of the caller alone", {
      seed,
      personal: true,
      request: () => ({ body: { items: [{ event_type: "walk.*", channel: "email", enabled: false }] } }),
      success: 200
    }),
    "GET /api/v1/notifications/push/key": own("the installation's public key", { success: 200 }),
    "GET /api/v1/notifications/push/subscriptions": own("of the caller alone", {
      seed,
      personal: true,
      success: 200,
      wrong: ({ json }, _, { mark }) =>
        json.items.some(({ service }: { service: string }) => service === mark) ? undefined : "not what was seeded"
    }),
    "POST /api/v1/notifications/push/subscriptions": own("of the caller alone", {
      seed,
      personal: true,
      request: (_, { mark }) => ({ body: { endpoint: `https://push.test/${mark}`, keys: browserKeys() } }),
      success: 201
    }),
    "DELETE /api/v1/notifications/push/subscriptions/{id}": thing({
      seed: subscribed,
      never: { id: never.browser },
      request: ({ id }) => ({ path: { id } }),
      success: 204,
      personal: true
    }),
    "GET /api/v1/notifications/settings": own("of the caller alone", { seed, personal: true, success: 200 }),
    "PUT /api/v1/notifications/settings": own("of the caller alone", {
      seed,
      personal: true,
      request: () => ({
        body: {
          zone: "Europe/Berlin",
          quiet: { from: "22:00", to: "06:00", days: [1, 7], errors_pass: true },
          digest: "daily",
          digest_at: "08:00"
        }
      }),
      success: 200
    })
  }
}
