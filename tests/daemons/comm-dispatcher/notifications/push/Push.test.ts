/** Web push: subscribe over HTTP, send to a push service over TLS, and decrypt like a browser. */
import { assert, describe, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { commDispatcher } from "#daemons/comm-dispatcher/Daemon.ts"
import { fakeUser, fakeUsers } from "#support/FakeUsers.ts"
import { until } from "#support/Frame.ts"
import { startSuite, type TestSuite } from "#support/TestSuite.ts"
import { member, numberOf } from "../NotificationCases.ts"
import { browserKeys, PushBrowser, type Pushed, pushService, vapidClaims } from "./PushBrowser.ts"

const path = "/api/v1/notifications"
const subscriptions = `${path}/push/subscriptions`
const content = {
  type: "disk.full",
  category: "system",
  severity: "warning",
  title: "Disk full",
  body: "No room on /var.",
  action_url: "/console/daemons"
} as const

class Place extends Context.Service<
  Place,
  TestSuite & { readonly url: string; readonly pushed: ReadonlyArray<Pushed> }
>()("test/Place") {
  static readonly layer = Layer.effect(
    Place,
    Effect.gen(function* () {
      const service = yield* pushService((path, before) =>
        path.startsWith("/gone")
          ? 410
          : path.startsWith("/busy") && before === 0
            ? 429
            : path.startsWith("/refused")
              ? 403
              : 201
      )
      const suite = yield* startSuite({
        daemons: [commDispatcher],
        verifier: fakeUsers,
        env: { SIGNALBOX_PUSH_ALLOW_CIDRS: "127.0.0.0/8", SIGNALBOX_PUSH_CONTACT: "ops@ours.test" }
      })
      return { ...suite, ...service }
    })
  )
}

let tenants = 60
const somebody = Effect.fnUntraced(function* (suite: TestSuite) {
  const tenant = tenants++
  const who = fakeUser("A", tenant, "*", tenant * 10)
  const user = numberOf(who)
  yield* member(suite.sql, { tenant, user, email: `u${tenant}@user.test`, name: "Jana" })
  const call = (method: string, at: string, body?: unknown) =>
    suite.call(method, at, { headers: who.headers, ...(body === undefined ? {} : { body }) })
  return { call, tenant, user }
})

const allDone = ({ sql }: TestSuite) =>
  until(
    "every push is done",
    Effect.map(
      sql`select 1 from pgboss.job where name = 'notification.push' and state <> 'completed'`,
      (rows) => rows.length === 0
    ),
    30
  )

const at = (pushed: ReadonlyArray<Pushed>, path: string) => pushed.filter((one) => one.path === path)

describe("pushes", () => {
  layer(Place.layer, { excludeTestServices: true })((it) => {
    it.effect(
      "come to each browser of the reader, encrypted for it and signed by the key it subscribed with",
      () =>
        Effect.gen(function* () {
          const suite = yield* Place
          const { pushed, url } = suite
          const { call, user } = yield* somebody(suite)
          const [one, two] = [new PushBrowser(url, "/a/one"), new PushBrowser(url, "/busy/two")]
          const key = (yield* call("GET", `${path}/push/key`)).json.public_key
          const made = yield* call("POST", subscriptions, one.subscription)
          assert.strictEqual(made.status, 201, made.text)
          assert.strictEqual((yield* call("POST", subscriptions, one.subscription)).json.id, made.json.id)
          yield* call("POST", subscriptions, two.subscription)
          const { items } = (yield* call("GET", subscriptions)).json
          assert.deepStrictEqual(
            items.map(({ service }: any) => service),
            [new URL(url).host, new URL(url).host]
          )
          const { uuid } = (yield* call("POST", path, { user_id: user, ...content })).json.items[0]
          yield* until(
            "both are there",
            Effect.sync(() => at(pushed, "/a/one").length === 1 && at(pushed, "/busy/two").length === 2),
            30
          )
          yield* allDone(suite)
          const expected = {
            title: "Disk full",
            body: "No room on /var.",
            action_url: "/console/daemons",
            uuid,
            severity: "warning"
          }
          const [first] = at(pushed, "/a/one")
          assert.deepStrictEqual(
            [one.decrypt(first!.body), two.decrypt(at(pushed, "/busy/two")[1]!.body)],
            [expected, expected]
          )
          assert.strictEqual(at(pushed, "/a/one").length, 1)
          assert.deepStrictEqual(
            [first!.headers["content-encoding"], first!.headers["urgency"]],
            ["aes128gcm", "normal"]
          )
          assert.isTrue(Number(first!.headers["ttl"]) > 86_000 && Number(first!.headers["ttl"]) <= 86_400)
          const { aud, sub } = vapidClaims(first!.headers.authorization!, key)
          assert.deepStrictEqual([aud, sub], [url, "mailto:ops@ours.test"])
          // No row contains the secrets in plain text.
          const [row] = yield* suite.sql<{
            text: string
          }>`select (select string_agg(s::text, '') from comm_dispatcher.push_subscription s)
          || (select string_agg(k::text, '') from comm_dispatcher.push_key k) || (select string_agg(a::text, '') from core.audit a)
          || (select string_agg(j.data::text, '') from pgboss.job j) as text`
          for (const secret of ["/a/one", one.subscription.keys.auth, one.subscription.keys.p256dh])
            assert.notInclude(row!.text, secret)
          assert.include(row!.text, "push.subscribed")
          assert.strictEqual((yield* call("DELETE", `${subscriptions}/${made.json.id}`)).status, 204)
          assert.strictEqual((yield* call("DELETE", `${subscriptions}/${made.json.id}`)).status, 404)
        }),
      120_000
    )

    it.effect(
      "are no more for a browser that is gone, one that another user has, and where nobody wants them",
      () =>
        Effect.gen(function* () {
          const suite = yield* Place
          const { pushed, url } = suite
          const [a, b] = [yield* somebody(suite), yield* somebody(suite)]
          const count = ({ call }: typeof a) => Effect.map(call("GET", subscriptions), ({ json }) => json.items.length)
          const [gone, shared, refused] = ["/gone/1", "/shared/1", "/refused/1"].map((at) => new PushBrowser(url, at))
          for (const browser of [gone!, shared!, refused!]) yield* a.call("POST", subscriptions, browser.subscription)
          yield* b.call("POST", subscriptions, shared!.subscription)
          yield* a.call("POST", path, { user_id: a.user, ...content })
          yield* until(
            "the browser is let go",
            Effect.map(count(a), (left) => left === 2),
            30
          )
          yield* allDone(suite)
          assert.deepStrictEqual(
            [at(pushed, "/gone/1").length, at(pushed, "/shared/1").length, at(pushed, "/refused/1").length],
            [1, 0, 1]
          )
          yield* b.call("POST", path, { user_id: b.user, ...content, severity: "info" })
          yield* b.call("PUT", `${path}/preferences`, {
            items: [{ event_type: "*", channel: "browser", enabled: false }]
          })
          yield* b.call("POST", path, { user_id: b.user, ...content })
          yield* allDone(suite)
          assert.strictEqual(at(pushed, "/shared/1").length, 0)
          yield* b.call("PUT", `${path}/preferences`, { items: [] })
          yield* b.call("POST", path, { user_id: b.user, ...content })
          yield* until(
            "it is there",
            Effect.sync(() => at(pushed, "/shared/1").length === 1),
            30
          )
        }),
      120_000
    )

    it.effect(
      "wait for the end of quiet hours, and then come as one",
      () =>
        Effect.gen(function* () {
          const suite = yield* Place
          const { pushed, sql, url } = suite
          const { call, user } = yield* somebody(suite)
          const browser = new PushBrowser(url, "/quiet/1")
          yield* call("POST", subscriptions, browser.subscription)
          // Quiet hours from one hour ago to six hours from now.
          const clock = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16)
          const quiet = { from: clock(-1), to: clock(6), days: [1, 2, 3, 4, 5, 6, 7], errors_pass: true }
          yield* call("PUT", `${path}/settings`, { zone: "UTC", quiet, digest: "off", digest_at: "08:00" })
          yield* call("POST", path, { user_id: user, ...content, title: "one" })
          yield* call("POST", path, { user_id: user, ...content, title: "two" })
          yield* call("POST", path, { user_id: user, ...content, title: "grave", severity: "error" })
          yield* until(
            "the grave one is there",
            Effect.sync(() => at(pushed, "/quiet/1").length === 1),
            30
          )
          assert.strictEqual(browser.decrypt(at(pushed, "/quiet/1")[0]!.body).title, "grave")
          yield* sql`update comm_dispatcher.notification_setting set quiet = null where user_id = ${user}`
          yield* sql`update comm_dispatcher.notification_held set due_at = now() - interval '1 second' where user_id = ${user}`
          yield* sql`update pgboss.job set start_after = now() where name = 'notification.due' and (data->>'user_id')::int = ${user}`
          yield* sql`select pg_notify('signalbox', 'queue notification.due')`
          yield* until(
            "the others are there",
            Effect.sync(() => at(pushed, "/quiet/1").length === 2),
            30
          )
          const { action_url, body, title } = browser.decrypt(at(pushed, "/quiet/1")[1]!.body)
          assert.deepStrictEqual([title, body, action_url], ["2 Mitteilungen", "Warnung: one · Warnung: two", null])
        }),
      120_000
    )

    it.effect(
      "are at most ten a user, and refuse what is no browser's address",
      () =>
        Effect.gen(function* () {
          const suite = yield* Place
          const { call } = yield* somebody(suite)
          const keys = browserKeys()
          const wrong = Effect.fnUntraced(function* (body: unknown) {
            const answer = yield* call("POST", subscriptions, body)
            return [answer.status, ...(answer.json.errors ?? []).map(({ field }: any) => field)]
          })
          assert.deepStrictEqual(yield* wrong({ endpoint: "http://push.test/x", keys }), [422, "payload.endpoint"])
          assert.deepStrictEqual(yield* wrong({ endpoint: "https://u:p@push.test/x", keys }), [422, "payload.endpoint"])
          assert.deepStrictEqual(
            yield* wrong({ endpoint: "https://push.test/x", keys: { p256dh: `B${"A".repeat(86)}`, auth: "AAAA" } }),
            [422, "payload.keys.p256dh", "payload.keys.auth"]
          )
          const ids: Array<string> = []
          for (let n = 0; n < 12; n++)
            ids.push((yield* call("POST", subscriptions, { endpoint: `https://push.test/${n}`, keys })).json.id)
          const { items } = (yield* call("GET", subscriptions)).json
          assert.deepStrictEqual(items.map(({ id }: any) => id).toSorted(), ids.slice(2).toSorted())
          const service = yield* suite.call("GET", subscriptions, { token: yield* suite.token })
          assert.strictEqual(service.status, 403)
        }),
      120_000
    )
  })
})
