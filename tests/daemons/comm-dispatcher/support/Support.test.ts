/** Support sessions: a user requests support, staff finds the session by its code and closes it. */
import { assert, describe, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import * as Store from "#daemons/comm-dispatcher/support/Store.ts"
import { fakeUser } from "#support/FakeUsers.ts"
import { until } from "#support/Frame.ts"
import type { Who } from "#support/walk/Case.ts"
import { type Dispatcher, startDispatcher } from "../Dispatcher.ts"
import { member, numberOf } from "../notifications/NotificationCases.ts"
import { workflowsRead } from "../workflows/WorkflowsRead.ts"

class Place extends Context.Service<Place, Dispatcher>()("test/Place") {
  static readonly layer = Layer.effect(Place, Effect.tap(startDispatcher(), workflowsRead))
}

const path = "/api/v1/support/sessions"
const nobody = fakeUser("U", 81, "", 811)
const staff = fakeUser("S", 81, "customers.read", 812)
const foreign = fakeUser("F", 82, "customers.read", 821)

const as =
  ({ suite }: Dispatcher) =>
  (who: Who, method: string, rest: string = "", more: { body?: unknown; headers?: Record<string, string> } = {}) =>
    suite.call(method, `${path}${rest}`, { ...more, headers: { ...who.headers, ...more.headers } })

/** A user of tenant 81 without permissions who has requested nothing yet. */
let users = 900
const newUser = () => fakeUser("N", 81, "", users++)

describe("support sessions", () => {
  layer(Place.layer, { excludeTestServices: true })((it) => {
    it.effect(
      "any user requests support; the event has the code, and each admin is notified in the admin's language",
      () =>
        Effect.gen(function* () {
          const place = yield* Place
          const call = as(place)
          const admin = fakeUser("A", 81, "*", 810)
          const german = fakeUser("G", 81, "*", 813)
          yield* member(place.sql, { tenant: 81, user: numberOf(admin), role: "admin", locale: "en-GB" })
          yield* member(place.sql, { tenant: 81, user: numberOf(german), role: "admin", locale: "de-AT" })
          const body = { channel: "phone", message: "Mail does not arrive" }
          const made = yield* call(nobody, "POST", "", { body })
          assert.strictEqual(made.status, 201)
          const { created_at, expires_at, id, session_code, ...rest } = made.json
          assert.match(session_code, /^\d{4}-\d{4}$/)
          assert.isNumber(id)
          assert.strictEqual(Date.parse(expires_at) - Date.parse(created_at), 3_600_000)
          assert.deepStrictEqual(rest, body)
          const events = yield* place.sql`select tenant_id, user_id, source, data from core.event
          where type = 'support.session.created'`
          assert.deepStrictEqual(events, [
            { tenant_id: 81, user_id: null, source: "comm-dispatcher", data: { session_code, channel: "phone" } }
          ])
          assert.deepStrictEqual((yield* call(nobody, "GET", "/mine")).json, { session: made.json })
          for (const [who, title] of [
            [admin, "Support requested"],
            [german, "Hilfe angefragt"]
          ] as const) {
            const told = place.suite.call("GET", "/api/v1/notifications", { headers: who.headers })
            yield* until(
              `${who.name} is notified`,
              Effect.map(told, ({ json }) => json.items.length > 0),
              20
            )
            assert.deepInclude((yield* told).json.items[0], {
              title: `${title}: ${session_code}`,
              action_url: "/console/support"
            })
          }
        })
    )

    it.effect("staff finds the session by the spoken code and closes it; another tenant does not", () =>
      Effect.gen(function* () {
        const place = yield* Place
        const call = as(place)
        const user = newUser()
        yield* member(place.sql, { tenant: 81, user: numberOf(user), name: "Eva", email: "eva@user.test" })
        const { session_code } = (yield* call(user, "POST")).json
        const spoken = encodeURIComponent(session_code.replace("-", " "))
        const found = yield* call(staff, "GET", `/${spoken}`)
        assert.strictEqual(found.status, 200)
        assert.deepInclude(found.json, {
          session_code,
          state: "open",
          channel: "web",
          message: null,
          tenant_id: 81,
          user: { id: numberOf(user), name: "Eva", email: "eva@user.test" }
        })
        const listed = (yield* call(staff, "GET")).json.items.map((one: any) => one.session_code)
        assert.include(listed, session_code)

        assert.strictEqual((yield* call(foreign, "GET", `/${spoken}`)).status, 404)
        assert.strictEqual((yield* call(foreign, "POST", `/${spoken}/close`)).status, 404)
        assert.deepStrictEqual((yield* call(foreign, "GET", "?state=all")).json.items, [])
        assert.strictEqual((yield* call(nobody, "GET", `/${spoken}`)).status, 403)
        assert.strictEqual((yield* call(nobody, "GET")).status, 403)
        for (const text of ["1234", "mine2", "abcdefgh"])
          assert.strictEqual((yield* call(staff, "GET", `/${text}`)).status, 404, text)

        const closed = yield* call(staff, "POST", `/${spoken}/close`)
        assert.deepInclude(closed.json, { state: "closed", closed_by: "user:812" })
        const again = yield* call(staff, "POST", `/${spoken}/close`)
        assert.deepStrictEqual([again.status, again.json], [200, closed.json])
        assert.notInclude(
          (yield* call(staff, "GET")).json.items.map((one: any) => one.session_code),
          session_code
        )
        assert.include(
          (yield* call(staff, "GET", "?state=all")).json.items.map((one: any) => one.session_code),
          session_code
        )
        assert.deepStrictEqual((yield* call(user, "GET", "/mine")).json, { session: null })
        const audit = yield* place.sql`select actor, action from core.audit
          where entity_type = 'support_session' and entity_id = ${String(closed.json.id)} order by id`
        assert.deepStrictEqual(audit, [
          { actor: `user:${numberOf(user)}`, action: "support_session.created" },
          { actor: "user:812", action: "support_session.closed" }
        ])
      })
    )

    it.effect("a new session replaces the open one, and the user can withdraw it", () =>
      Effect.gen(function* () {
        const call = as(yield* Place)
        const user = newUser()
        const first = (yield* call(user, "POST")).json
        const second = (yield* call(user, "POST", "", { body: {} })).json
        assert.notStrictEqual(first.session_code, second.session_code)
        const before = yield* call(staff, "GET", `/${first.session_code}`)
        assert.deepInclude(before.json, { state: "closed", closed_by: "replaced" })
        assert.strictEqual((yield* call(user, "GET", "/mine")).json.session.session_code, second.session_code)
        assert.strictEqual((yield* call(user, "DELETE", "/mine")).status, 204)
        assert.strictEqual((yield* call(user, "DELETE", "/mine")).status, 404)
        assert.strictEqual((yield* call(staff, "GET", `/${second.session_code}`)).json.state, "closed")
      })
    )

    it.effect("limits the sessions of a user within an hour; Idempotency-Key creates one", () =>
      Effect.gen(function* () {
        const place = yield* Place
        const call = as(place)
        const user = newUser()
        const headers = { "idempotency-key": "k" }
        const first = yield* call(user, "POST", "", { headers })
        assert.deepStrictEqual((yield* call(user, "POST", "", { headers })).json, first.json)
        for (let made = 1; made < Store.maxPerUser; made++) assert.strictEqual((yield* call(user, "POST")).status, 201)
        const refused = yield* call(user, "POST")
        assert.deepStrictEqual([refused.status, refused.json.code], [429, "support_limit_reached"])
        assert.isAtLeast(Number(refused.headers.get("retry-after")), 1)
        assert.isNotNull((yield* call(user, "GET", "/mine")).json.session)
        assert.strictEqual((yield* call(newUser(), "POST")).status, 201)
        yield* place.sql`update comm_dispatcher.support_session set created_at = created_at - interval '61 minutes'
          where user_id = ${numberOf(user)}`
        assert.strictEqual((yield* call(user, "POST")).status, 201)
      })
    )

    it.effect("limits the sessions of a tenant within an hour", () =>
      Effect.gen(function* () {
        const place = yield* Place
        const crowd = (tenant: number) => fakeUser("C", tenant, "", tenant * 10)
        yield* place.sql`insert into comm_dispatcher.support_session (tenant_id, user_id, code, channel, expires_at)
          select 83, 100000 + n, 'x' || n, 'web', now() from generate_series(1, ${Store.maxPerTenant}) n`
        assert.strictEqual((yield* as(place)(crowd(83), "POST")).json.code, "support_limit_reached")
        assert.strictEqual((yield* as(place)(crowd(84), "POST")).status, 201)
      })
    )

    it.effect("a code expires; ended sessions and those of deleted users are deleted", () =>
      Effect.gen(function* () {
        const place = yield* Place
        const call = as(place)
        const users = Array.from({ length: 4 }, newUser)
        const codes: Array<string> = []
        for (const user of users) codes.push((yield* call(user, "POST")).json.session_code)
        const age = (user: Who, days: number) =>
          place.sql`update comm_dispatcher.support_session set expires_at = expires_at - make_interval(days => ${days})
            where user_id = ${numberOf(user)}`
        yield* age(users[0]!, 1)
        yield* age(users[1]!, Store.keptDays + 1)
        yield* member(place.sql, { tenant: 81, user: numberOf(users[2]!), state: "deleted" })
        assert.strictEqual((yield* call(staff, "GET", `/${codes[0]}`)).json.state, "expired")
        assert.deepStrictEqual((yield* call(users[0]!, "GET", "/mine")).json, { session: null })
        assert.strictEqual((yield* call(staff, "POST", `/${codes[0]}/close`)).json.state, "expired")
        yield* Effect.provideService(Store.prune, SqlClient.SqlClient, place.sql)
        const left: Array<number> = []
        for (const code of codes) left.push((yield* call(staff, "GET", `/${code}`)).status)
        assert.deepStrictEqual(left, [200, 404, 404, 200])
      })
    )

    it.effect("a service token lists and closes, but requests nothing", () =>
      Effect.gen(function* () {
        const place = yield* Place
        const { session_code } = (yield* as(place)(newUser(), "POST")).json
        const token = { name: "T", tenant: 1, headers: { "x-service-token": place.token }, mark: "t" }
        assert.strictEqual((yield* as(place)(token, "POST")).status, 403)
        assert.strictEqual((yield* as(place)(token, "GET", `/${session_code}`)).json.tenant_id, 81)
        assert.match((yield* as(place)(token, "POST", `/${session_code}/close`)).json.closed_by, /^service:\d+$/)
      })
    )
  })
})
