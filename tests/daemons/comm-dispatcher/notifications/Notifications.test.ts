/** Notifications from sender to recipient: by API, by job, on the socket and by mail. */
import { assert, describe, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { NotificationWanted } from "#core/contracts/Notifications.ts"
import { commDispatcher } from "#daemons/comm-dispatcher/Daemon.ts"
import { EventClient } from "#support/EventClient.ts"
import { fakeUser, fakeUsers } from "#support/FakeUsers.ts"
import { until } from "#support/Frame.ts"
import { make as mailSink, type MailSink } from "#support/MailSink.ts"
import { startSuite, type TestSuite } from "#support/TestSuite.ts"
import type { Who } from "#support/walk/Case.ts"
import { member, numberOf } from "./NotificationCases.ts"

const path = "/api/v1/notifications"

/** Each test has its own tenant, so that counts do not interfere. */
let tenants = 20
const tenant = () => {
  const number = tenants++
  return { number, admin: fakeUser("A", number, "*", number * 10), other: fakeUser("B", number, "*", number * 10 + 1) }
}

const content = {
  type: "payment.received",
  category: "payment",
  severity: "info",
  title: "Paid",
  body: "4711 was paid."
} as const

class Place extends Context.Service<Place, TestSuite & { readonly sink: MailSink }>()("test/Place") {
  static readonly layer = Layer.effect(
    Place,
    Effect.gen(function* () {
      const sink = yield* mailSink()
      const suite = yield* startSuite({
        daemons: [commDispatcher],
        gateway: true,
        verifier: fakeUsers,
        env: {
          SIGNALBOX_NOTIFY_SMTP_URL: `smtp://127.0.0.1:${sink.port}`,
          SIGNALBOX_NOTIFY_FROM: "signalbox@ours.test"
        }
      })
      return { ...suite, sink }
    })
  )
}

const as =
  (suite: TestSuite, who: Who) =>
  (method: string, rest = "", body?: unknown) =>
    suite.call(method, path + rest, { headers: who.headers, ...(body === undefined ? {} : { body }) })

const listening = (suite: TestSuite, who: Who) =>
  Effect.acquireRelease(
    Effect.promise(() =>
      EventClient.listening(suite.base(), { token: who.headers["authorization"]!.slice("Bearer ".length) }, [
        "notification.created"
      ])
    ),
    (client) => Effect.sync(() => client.end())
  )

/** Inserts jobs into the queue like another daemon. */
const want = ({ sql }: TestSuite, ...wanted: ReadonlyArray<typeof NotificationWanted.data.Type>) =>
  Effect.forEach(wanted, (data) =>
    Effect.andThen(
      sql`insert into pgboss.job (name, data, retry_limit) values (${NotificationWanted.queue}, ${sql.json(data)}, 1000000)`,
      sql`select pg_notify('signalbox', ${`queue ${NotificationWanted.queue}`})`
    )
  )

const allDone = ({ sql }: TestSuite) =>
  until(
    "every job is done",
    Effect.map(
      sql`select 1 from pgboss.job where name like 'notification.%' and state <> 'completed'`,
      (rows) => rows.length === 0
    ),
    20
  )

describe("notifications", () => {
  layer(Place.layer, { excludeTestServices: true })((it) => {
    it.effect(
      "are stored, and told on the reader's socket and on no other's",
      () =>
        Effect.gen(function* () {
          const suite = yield* Place
          const { admin, number, other } = tenant()
          for (const who of [admin, other]) yield* member(suite.sql, { tenant: number, user: numberOf(who) })
          const [mine, neighbours, strangers] = [
            yield* listening(suite, other),
            yield* listening(suite, admin),
            yield* listening(suite, fakeUser("C", 3))
          ]
          const full = {
            ...content,
            icon: "coin",
            data: { amount: [1, { of: "2\\u0000" }] },
            entity_type: "invoice",
            entity_id: "4711",
            action_url: "/invoices/4711"
          }
          const made = yield* as(suite, admin)("POST", "", { user_id: numberOf(other), ...full })
          assert.strictEqual(made.status, 201, made.text)
          yield* as(suite, admin)("POST", "", { user_id: numberOf(admin), ...content, title: "for the neighbour" })
          yield* Effect.promise(() => neighbours.until(() => neighbours.events.length > 0))
          yield* Effect.promise(() => mine.until(() => mine.events.length > 0))
          const [item] = (yield* as(suite, other)("GET")).json.items
          assert.deepStrictEqual(
            { ...item, id: 0, created_at: "" },
            {
              ...full,
              id: 0,
              uuid: made.json.items[0].uuid,
              user_id: numberOf(other),
              tenant_id: number,
              channel: "app",
              read_at: null,
              created_at: ""
            }
          )
          assert.deepStrictEqual(
            mine.events.map(({ data }) => data),
            [{ ...item, browser: false, speech: false }]
          )
          assert.deepStrictEqual(
            neighbours.events.map(({ data }) => data.title),
            ["for the neighbour"]
          )
          // When a later event has arrived, an event for others cannot arrive any more.
          const stranger = fakeUser("C", 3)
          yield* member(suite.sql, { tenant: 3, user: numberOf(stranger) })
          yield* as(suite, stranger)("POST", "", { user_id: numberOf(stranger), ...content, title: "own" })
          yield* Effect.promise(() => strangers.until(() => strangers.events.length > 0))
          assert.deepStrictEqual(
            strangers.events.map(({ data }) => data.title),
            ["own"]
          )
          assert.strictEqual(mine.events.length, 1)
        }),
      120_000
    )

    it.effect(
      "are listed, counted, read and removed by their reader",
      () =>
        Effect.gen(function* () {
          const suite = yield* Place
          const { admin, number, other } = tenant()
          const me = as(suite, admin)
          for (const who of [admin, other]) yield* member(suite.sql, { tenant: number, user: numberOf(who) })
          for (let n = 0; n < 5; n++) {
            yield* me("POST", "", {
              user_id: numberOf(admin),
              ...content,
              category: n % 2 === 0 ? "payment" : "provisioning",
              title: `n${n}`
            })
          }
          const titles = (rest: string) =>
            Effect.map(me("GET", rest), ({ json }) => json.items.map(({ title }: { title: string }) => title))
          const summary = Effect.map(me("GET", "/summary"), ({ json }) => [json.total, json.unread])
          assert.deepStrictEqual(yield* titles(""), ["n4", "n3", "n2", "n1", "n0"])
          assert.deepStrictEqual(yield* titles("?category=provisioning"), ["n3", "n1"])
          const first = (yield* me("GET", "?limit=2")).json
          assert.deepStrictEqual(yield* titles(`?limit=2&before=${first.next_before}`), ["n2", "n1"])
          assert.deepStrictEqual(yield* summary, [5, 5])
          const { uuid } = first.items[0]
          assert.strictEqual((yield* me("PUT", `/${uuid}/read`)).status, 204)
          const { read_at } = (yield* me("GET")).json.items[0]
          assert.strictEqual((yield* me("PUT", `/${uuid}/read`)).status, 204)
          assert.strictEqual((yield* me("GET")).json.items[0].read_at, read_at)
          assert.deepStrictEqual(yield* titles("?unread_only=True"), ["n3", "n2", "n1", "n0"])
          assert.deepStrictEqual(yield* titles("?unread_only=false&limit=1"), ["n4"])
          const payments = (yield* me("POST", "/read-all?category=payment")).json
          assert.strictEqual(payments.read, 2)
          assert.deepStrictEqual(yield* summary, [5, 2])
          const rest = (yield* me("POST", "/read-all")).json
          assert.strictEqual(rest.read, 2)
          // Only what that call marked is unread again, and only for its reader.
          const back = `/read-all?read_at=${payments.read_at}`
          assert.deepStrictEqual((yield* as(suite, other)("DELETE", back)).json, { unread: 0 })
          assert.deepStrictEqual((yield* me("DELETE", back)).json, { unread: 2 })
          assert.deepStrictEqual((yield* me("DELETE", back)).json, { unread: 0 })
          assert.deepStrictEqual(yield* titles("?unread_only=true"), ["n2", "n0"])
          // Single ones.
          assert.strictEqual((yield* as(suite, other)("DELETE", `/${uuid}/read`)).status, 404)
          for (let twice = 0; twice < 2; twice++) assert.strictEqual((yield* me("DELETE", `/${uuid}/read`)).status, 204)
          assert.deepStrictEqual(yield* titles("?unread_only=true"), ["n4", "n2", "n0"])
          assert.deepStrictEqual(yield* summary, [5, 3])
          assert.strictEqual((yield* me("POST", "/read-all")).json.read, 3)
          assert.strictEqual((yield* me("DELETE", `/${uuid}`)).status, 204)
          assert.strictEqual((yield* me("DELETE", `/${uuid}`)).status, 404)
          assert.strictEqual((yield* me("PUT", `/${uuid}/read`)).status, 404)
          assert.strictEqual((yield* me("DELETE", `/${uuid}/read`)).status, 404)
          assert.deepStrictEqual(yield* summary, [4, 0])
          // The platform sees all notifications, or those of one person. It has no own ones to mark as read.
          const token = yield* suite.token
          const platform = (method: string, rest: string) => suite.call(method, path + rest, { token })
          assert.strictEqual((yield* platform("GET", `?user_id=${numberOf(admin)}`)).json.items.length, 4)
          assert.deepStrictEqual((yield* platform("GET", `/summary?user_id=${numberOf(admin)}`)).json, {
            total: 4,
            unread: 0
          })
          assert.strictEqual((yield* platform("POST", "/read-all")).status, 403)
          assert.strictEqual(
            (yield* as(suite, fakeUser("P", number, "", numberOf(other)))("POST", "", {
              user_id: numberOf(admin),
              ...content
            })).status,
            403
          )
        }),
      120_000
    )

    it.effect(
      "are for one reader, or for the active admins of a tenant, of one's own",
      () =>
        Effect.gen(function* () {
          const suite = yield* Place
          const { admin, number, other } = tenant()
          const [first, second] = [numberOf(admin), numberOf(other)]
          yield* member(suite.sql, { tenant: number, user: first, role: "admin" })
          yield* member(suite.sql, { tenant: number, user: second, role: "admin" })
          yield* member(suite.sql, { tenant: number, user: second + 1, role: "admin", state: "suspended" })
          yield* member(suite.sql, { tenant: number, user: second + 2, role: "customer" })
          const made = yield* as(suite, admin)("POST", "", { tenant_id: number, ...content })
          assert.deepStrictEqual(
            made.json.items.map((item: { user_id: number }) => item.user_id),
            [first, second]
          )
          const post = (to: object) =>
            Effect.map(as(suite, admin)("POST", "", { ...to, ...content }), ({ status }) => status)
          assert.deepStrictEqual(
            [
              yield* post({}),
              yield* post({ user_id: first, tenant_id: number }),
              yield* post({ tenant_id: number - 1 }),
              yield* post({ user_id: 999_999 })
            ],
            [422, 422, 404, 404]
          )
          const audited = yield* suite.sql`select actor, action, detail from core.audit where tenant_id = ${number}`
          assert.deepStrictEqual(audited, [
            {
              actor: `user:${first}`,
              action: "notification.created",
              detail: { type: content.type, readers: [first, second] }
            }
          ])
        }),
      120_000
    )

    it.effect(
      "asked for by a job come once for a key, also to people whom identity tells of later",
      () =>
        Effect.gen(function* () {
          const suite = yield* Place
          const { admin, number, other } = tenant()
          const one = { key: "paid:1", to: { tenant_admins: number }, content }
          yield* want(suite, one, one, { ...one, key: "paid:2" })
          yield* until(
            "a job goes again",
            Effect.map(
              suite.sql`select 1 from pgboss.job where name = ${NotificationWanted.queue} and retry_count > 0`,
              (rows) => rows.length > 0
            )
          )
          const told = (state: string, version: number, user: number, role: string) =>
            suite.sql`with e as (insert into core.event (type, source, tenant_id, data) values ('identity.user.changed', 'identity', ${number}, ${suite.sql.json(
              { user_id: user, tenant_id: number, email: "a@user.test", name: "A", role, locale: "de", state, version }
            )}) returning 1) select pg_notify('signalbox', 'event') from e`
          yield* told("active", 2, numberOf(admin), "admin")
          yield* told("suspended", 1, numberOf(admin), "admin")
          yield* told("active", 1, numberOf(other), "user")
          yield* allDone(suite)
          assert.strictEqual((yield* as(suite, admin)("GET")).json.items.length, 2)
          yield* want(
            suite,
            one,
            { ...one, to: { user_id: numberOf(other) } },
            { ...one, key: "paid:3", to: { user_id: numberOf(other) } }
          )
          yield* allDone(suite)
          assert.strictEqual((yield* as(suite, admin)("GET")).json.items.length, 2)
          assert.strictEqual((yield* as(suite, other)("GET")).json.items.length, 1)
          // Nothing remains of a deleted user.
          yield* as(suite, other)("PUT", "/preferences", {
            items: [{ event_type: "*", channel: "app", enabled: true }]
          })
          yield* told("deleted", 9, numberOf(other), "user")
          const kept = suite.sql<{
            email: string
          }>`select email from comm_dispatcher.member where user_id = ${numberOf(other)} and state = 'deleted'`
          yield* until(
            "the reader is gone",
            Effect.map(kept, (rows) => rows.length > 0)
          )
          assert.deepStrictEqual(yield* kept, [{ email: "" }])
          assert.deepStrictEqual(
            yield* suite.sql`select 1 from comm_dispatcher.notification_preference where user_id = ${numberOf(other)}`,
            []
          )
          assert.strictEqual(
            (yield* as(suite, admin)("POST", "", { user_id: numberOf(other), ...content })).status,
            404
          )
        }),
      120_000
    )

    it.effect(
      "go by the channels that their reader chose, by mail in the reader's language",
      () =>
        Effect.gen(function* () {
          const suite = yield* Place
          const { sink } = suite
          const { admin, number } = tenant()
          const me = as(suite, admin)
          yield* member(suite.sql, { tenant: number, user: numberOf(admin), email: "jana@user.test", name: "Jana" })
          const items = [
            { event_type: "payment.*", channel: "app", enabled: false },
            { event_type: "payment.received", channel: "email", enabled: true }
          ]
          const chosen = yield* me("PUT", "/preferences", { items })
          assert.deepStrictEqual(
            chosen.json.items,
            items.map((item) => ({ user_id: numberOf(admin), ...item }))
          )
          assert.deepStrictEqual((yield* me("GET", "/preferences")).json, chosen.json)
          assert.strictEqual(
            (yield* me("PUT", "/preferences", { items: [items[0], items[0]] })).json.errors[0].field,
            "payload.items[1].event_type"
          )
          const client = yield* listening(suite, admin)
          const made = yield* me("POST", "", { user_id: numberOf(admin), ...content })
          assert.deepStrictEqual(made.json.items, [
            { user_id: numberOf(admin), uuid: null, email: true, messenger: false }
          ])
          yield* until(
            "the mail is there",
            Effect.sync(() => sink.mails.length === 1)
          )
          const [{ from, mail, to }] = sink.mails as [MailSink["mails"][number]]
          assert.deepStrictEqual([from, to, mail.subject], ["signalbox@ours.test", ["jana@user.test"], "Hinweis: Paid"])
          assert.include(mail.text, "Guten Tag Jana,")
          assert.include(mail.html, "4711 was paid.")
          // Errors are mailed by default. The mail waits while the relay is unreachable.
          yield* sink.close
          assert.deepStrictEqual(
            (yield* me("POST", "", { user_id: numberOf(admin), ...content, type: "crm.broken", severity: "error" }))
              .json.items[0].email,
            true
          )
          yield* until(
            "the mail goes again",
            Effect.map(
              suite.sql`select 1 from pgboss.job where name = 'notification.email' and (data->>'tries')::int > 0`,
              (rows) => rows.length > 0
            )
          )
          const health = Effect.map(
            suite.call("GET", "/health/comm-dispatcher"),
            ({ json }) => json.components.notification_mail
          )
          assert.strictEqual((yield* health).status, "degraded")
          yield* sink.open
          yield* until(
            "the second mail is there",
            Effect.sync(() => sink.mails.length === 2),
            20
          )
          yield* until(
            "the relay is well again",
            Effect.map(health, ({ status }) => status === "ok")
          )
          yield* allDone(suite)
          // Only one of the two is shown in the app.
          yield* Effect.promise(() => client.until(() => client.events.length > 0))
          assert.deepStrictEqual(
            client.events.map(({ data }) => data.type),
            ["crm.broken"]
          )
          assert.deepStrictEqual((yield* me("GET", "/summary")).json, { total: 1, unread: 1 })
          // A mail that the relay refuses for good is dropped.
          sink.behave(550)
          yield* me("POST", "", { user_id: numberOf(admin), ...content })
          yield* allDone(suite)
          assert.strictEqual(sink.mails.length, 2)
        }),
      120_000
    )
  })
})
