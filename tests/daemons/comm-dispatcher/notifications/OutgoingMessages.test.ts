/** Messages that leave the application: to chats, after quiet hours, and in digests. */
import { assert, describe, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { commDispatcher } from "#daemons/comm-dispatcher/Daemon.ts"
import { BotApiDouble } from "#support/BotApiDouble.ts"
import { fakeUser, fakeUsers } from "#support/FakeUsers.ts"
import { until } from "#support/Frame.ts"
import { make as mailSink, type MailSink } from "#support/MailSink.ts"
import { startSuite, type TestSuite } from "#support/TestSuite.ts"
import type { Who } from "#support/walk/Case.ts"
import { member, numberOf } from "./NotificationCases.ts"

const path = "/api/v1/notifications"
const content = {
  type: "payment.received",
  category: "payment",
  severity: "info",
  title: "Paid",
  body: "4711 was paid."
} as const

class Place extends Context.Service<Place, TestSuite & { readonly sink: MailSink; readonly bot: BotApiDouble }>()(
  "test/Place"
) {
  static readonly layer = Layer.effect(
    Place,
    Effect.gen(function* () {
      const sink = yield* mailSink()
      const bot = new BotApiDouble()
      const url = yield* Effect.acquireRelease(
        Effect.promise(() => bot.start()),
        () => Effect.promise(() => bot.stop())
      )
      const suite = yield* startSuite({
        daemons: [commDispatcher],
        verifier: fakeUsers,
        env: {
          SIGNALBOX_NOTIFY_SMTP_URL: `smtp://127.0.0.1:${sink.port}`,
          SIGNALBOX_NOTIFY_FROM: "signalbox@ours.test",
          SIGNALBOX_MESSENGER_URL: url,
          SIGNALBOX_MESSENGER_TOKEN: bot.token
        }
      })
      return { ...suite, sink, bot }
    })
  )
}

let tenants = 40
const somebody = Effect.fnUntraced(function* (suite: TestSuite) {
  const tenant = tenants++
  const who = fakeUser("A", tenant, "*", tenant * 10)
  yield* member(suite.sql, { tenant, user: numberOf(who), email: `u${tenant}@user.test`, name: "Jana" })
  return { who, tenant, user: numberOf(who) }
})

const as =
  (suite: TestSuite, who: Who) =>
  (method: string, rest = "", body?: unknown) =>
    suite.call(method, path + rest, { headers: who.headers, ...(body === undefined ? {} : { body }) })

/** Emits a chat change like identity. */
const chat = ({ sql }: TestSuite, tenant: number, user: number, chat_id: string | null, version: number) =>
  sql`with e as (insert into core.event (type, source, tenant_id, user_id, data) values ('identity.messenger.changed', 'identity', ${tenant}, ${user},
    ${sql.json({ user_id: user, tenant_id: tenant, chat_id, version })}) returning 1) select pg_notify('signalbox', 'event') from e`

const chatIs = ({ sql }: TestSuite, user: number, version: number) =>
  until(
    "the chat is known",
    Effect.map(
      sql`select 1 from comm_dispatcher.member_chat where user_id = ${user} and version = ${version}`,
      (rows) => rows.length > 0
    )
  )

const allDone = ({ sql }: TestSuite) =>
  until(
    "every job is done",
    Effect.map(
      sql`select 1 from pgboss.job where name in ('notification.email', 'notification.message') and state <> 'completed'`,
      (rows) => rows.length === 0
    ),
    20
  )

/** Makes held messages of this user due now. */
const due = ({ sql }: TestSuite, user: number) =>
  Effect.andThen(
    sql`update comm_dispatcher.notification_held set due_at = now() - interval '1 second' where user_id = ${user}`,
    Effect.andThen(
      sql`update pgboss.job set start_after = now() where name = 'notification.due' and (data->>'user_id')::int = ${user}`,
      sql`select pg_notify('signalbox', 'queue notification.due')`
    )
  )

describe("what leaves for a reader", () => {
  layer(Place.layer, { excludeTestServices: true })((it) => {
    it.effect(
      "is a message to the chat that identity last told of, again while the messenger is away",
      () =>
        Effect.gen(function* () {
          const suite = yield* Place
          const { bot } = suite
          const { tenant, user, who } = yield* somebody(suite)
          const me = as(suite, who)
          yield* me("PUT", "/preferences", {
            items: [{ event_type: "payment.*", channel: "messenger", enabled: true }]
          })
          yield* chat(suite, tenant, user, "777001", 2)
          yield* chat(suite, tenant, user, "777000", 1)
          yield* chatIs(suite, user, 2)
          bot.failNext({ status: 502 } as never)
          const made = yield* me("POST", "", { user_id: user, ...content, action_url: "/invoices/4711" })
          assert.deepStrictEqual([made.json.items[0].email, made.json.items[0].messenger], [false, true])
          yield* until(
            "the message is there",
            Effect.sync(() => bot.messages.length === 1),
            30
          )
          assert.strictEqual(bot.messages[0]!.chatId, "777001")
          assert.include(bot.messages[0]!.text, "Hinweis: Paid\n4711 was paid.\nMehr dazu in der Anwendung.")
          yield* allDone(suite)
          // The chat was removed: nothing is sent, and nothing is kept for later.
          yield* chat(suite, tenant, user, null, 3)
          yield* chatIs(suite, user, 3)
          yield* me("POST", "", { user_id: user, ...content })
          yield* allDone(suite)
          assert.strictEqual(bot.messages.length, 1)
        }),
      120_000
    )

    it.effect(
      "waits for the end of quiet hours, and then goes together, once",
      () =>
        Effect.gen(function* () {
          const suite = yield* Place
          const { sink } = suite
          const { user, who } = yield* somebody(suite)
          const me = as(suite, who)
          assert.deepStrictEqual((yield* me("GET", "/settings")).json, {
            zone: "Europe/Berlin",
            quiet: null,
            digest: "off",
            digest_at: "08:00"
          })
          // Without a choice the time zone of the account counts.
          yield* suite.sql`update comm_dispatcher.member set time_zone = 'Asia/Tokyo' where user_id = ${user}`
          assert.strictEqual((yield* me("GET", "/settings")).json.zone, "Asia/Tokyo")
          // Quiet hours from one hour ago to six hours from now.
          const clock = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16)
          const quiet = { from: clock(-1), to: clock(6), days: [1, 2, 3, 4, 5, 6, 7], errors_pass: true }
          const settings = { zone: "UTC", quiet, digest: "off", digest_at: "08:00" }
          assert.deepStrictEqual((yield* me("PUT", "/settings", settings)).json, settings)
          assert.deepStrictEqual((yield* me("GET", "/settings")).json, settings)
          yield* me("PUT", "/preferences", { items: [{ event_type: "*", channel: "email", enabled: true }] })
          const before = sink.mails.length
          for (const title of ["one", "two", "three"])
            yield* me("POST", "", { user_id: user, ...content, title, severity: "warning" })
          yield* me("POST", "", { user_id: user, ...content, title: "grave", severity: "error" })
          yield* until(
            "the grave one is there",
            Effect.sync(() => sink.mails.length === before + 1),
            20
          )
          assert.strictEqual(sink.mails.at(-1)!.mail.subject, "Fehler: grave")
          const [held] = yield* suite.sql<{
            count: number
          }>`select count(*)::int as count from comm_dispatcher.notification_held where user_id = ${user}`
          assert.strictEqual(held!.count, 3)
          // The app has all of them. Only the error may show a desktop notification.
          assert.strictEqual((yield* me("GET", "/summary")).json.total, 4)
          const events = yield* suite.sql<{
            title: string
            browser: boolean
          }>`select data->>'title' as title, (data->>'browser')::boolean as browser
          from core.event where type = 'notification.created' and user_id = ${user} order by id`
          assert.deepStrictEqual(
            events.map(({ browser, title }) => [title, browser]),
            [
              ["one", false],
              ["two", false],
              ["three", false],
              ["grave", true]
            ]
          )
          yield* suite.sql`update comm_dispatcher.notification_setting set quiet = null where user_id = ${user}`
          yield* due(suite, user)
          yield* until(
            "what was held is there",
            Effect.sync(() => sink.mails.length === before + 2),
            20
          )
          const { mail } = sink.mails.at(-1)!
          assert.strictEqual(mail.subject, "3 Mitteilungen")
          assert.isBelow(mail.text!.indexOf("Warnung: one"), mail.text!.indexOf("Warnung: three"))
          yield* until(
            "every job is done",
            Effect.map(
              suite.sql`select 1 from pgboss.job where name like 'notification.%' and state <> 'completed'`,
              (rows) => rows.length === 0
            ),
            20
          )
          assert.strictEqual(sink.mails.length, before + 2)
          assert.deepStrictEqual(
            yield* suite.sql`select 1 from comm_dispatcher.notification_held where user_id = ${user}`,
            []
          )
        }),
      120_000
    )

    it.effect(
      "goes as new settings say, also what waits already; and not into the next quiet hours",
      () =>
        Effect.gen(function* () {
          const suite = yield* Place
          const { sink } = suite
          const { user, who } = yield* somebody(suite)
          const me = as(suite, who)
          const clock = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16)
          const quiet = { from: clock(-1), to: clock(6), days: [1, 2, 3, 4, 5, 6, 7], errors_pass: true }
          const off = { zone: "UTC", quiet: null, digest: "off", digest_at: "08:00" }
          yield* me("PUT", "/settings", { ...off, quiet })
          yield* me("PUT", "/preferences", { items: [{ event_type: "*", channel: "email", enabled: true }] })
          const before = sink.mails.length
          for (const title of ["one", "two"]) yield* me("POST", "", { user_id: user, ...content, title })
          // They are due, as after an outage, but quiet hours apply: they wait for their end.
          yield* due(suite, user)
          const waiting = suite.sql<{
            count: number
          }>`select count(*)::int as count from comm_dispatcher.notification_held where user_id = ${user} and due_at > now() + interval '5 hours'`
          yield* until(
            "what was due waits again",
            Effect.map(waiting, ([row]) => row!.count === 2),
            20
          )
          assert.strictEqual(sink.mails.length, before)
          yield* me("PUT", "/settings", off)
          yield* until(
            "what waited is there",
            Effect.sync(() => sink.mails.length === before + 1),
            20
          )
          assert.strictEqual(sink.mails.at(-1)!.mail.subject, "2 Mitteilungen")
        }),
      120_000
    )

    it.effect(
      "is gathered in a digest, and refused settings change nothing",
      () =>
        Effect.gen(function* () {
          const suite = yield* Place
          const { sink } = suite
          const { user, who } = yield* somebody(suite)
          const me = as(suite, who)
          // Six hours from now, so that the digest is not due before the test makes it due.
          const at = new Date(Date.now() + 6 * 3_600_000).toISOString().slice(11, 16)
          const settings = { zone: "UTC", quiet: null, digest: "daily", digest_at: at }
          yield* me("PUT", "/settings", settings)
          const wrong = yield* me("PUT", "/settings", { ...settings, zone: "Europe/Nowhere", digest_at: "25:00" })
          assert.deepStrictEqual(
            [wrong.status, wrong.json.errors.map(({ field }: { field: string }) => field).toSorted()],
            [422, ["payload.digest_at", "payload.zone"]]
          )
          assert.strictEqual((yield* me("PUT", "/settings", { ...settings, more: 1 })).status, 422)
          assert.deepStrictEqual((yield* me("GET", "/settings")).json, settings)
          yield* me("PUT", "/preferences", {
            items: [{ event_type: "payment.received", channel: "email", enabled: true }]
          })
          const before = sink.mails.length
          for (let n = 0; n < 60; n++) yield* me("POST", "", { user_id: user, ...content, title: `n${n}` })
          yield* due(suite, user)
          yield* until(
            "the digest is there",
            Effect.sync(() => sink.mails.length === before + 1),
            20
          )
          const { mail } = sink.mails.at(-1)!
          assert.strictEqual(mail.subject, "60 Mitteilungen")
          assert.include(mail.text!, "Hinweis: n49")
          assert.notInclude(mail.text!, "Hinweis: n50")
          assert.include(mail.text!, "Und 10 weitere")
        }),
      120_000
    )
  })
})
