import { assert, describe, it } from "@effect/vitest"
import { Deferred, Duration, Effect, Fiber } from "effect"
import { AnswerWithin } from "#core/requests/Requests.ts"
import { identity } from "#daemons/identity/Daemon.ts"
import { provisioning } from "#daemons/provisioning/Daemon.ts"
import { sipConfig } from "#daemons/sip-config/Daemon.ts"
import * as AwayPostgres from "#support/AwayPostgres.ts"
import { startSuite } from "#support/TestSuite.ts"
import { untilWithin } from "#support/Within.ts"
import { mailDouble, mailDoubleAfter, password, startProvisioning } from "./ProvisioningSuite.ts"

const fleet = [identity, sipConfig, mailDouble, provisioning]
/** Timeout of each test. Unit: milliseconds. Reason: several daemons start, which takes long on loaded cores. */
const patience = 90_000

const url = { SIGNALBOX_PUBLIC_URL: "https://box.example.org" }

describe("provisioning", () => {
  it.live(
    "answers 503 while a daemon is away, keeps the link, ends what was issued, and works when it is back",
    () =>
      Effect.gen(function* () {
        // Provisioning starts late: the user was made before its first start.
        const first = yield* startSuite({ daemons: [identity, sipConfig], fleet, gateway: true, env: url })
        const { database, env } = first
        const made = yield* first.call("POST", "/api/v1/users", {
          token: yield* first.token,
          body: { email: "anna@example.org", password, name: "Anna", role: "user" }
        })
        const login = yield* first.call("POST", "/api/v1/auth/login", { body: { email: "anna@example.org", password } })
        const headers = { authorization: `Bearer ${login.json.access_token}` }
        const anna = { id: made.json.id as number, email: "anna@example.org", headers }
        const shared = { SIGNALBOX_DATA_DIR: env["SIGNALBOX_DATA_DIR"]!, ...url }
        const { suite, ...here } = yield* startProvisioning({ daemons: [provisioning], database, env: shared }).pipe(
          Effect.provideService(AnswerWithin, Duration.seconds(2))
        )
        yield* here.known("known_user", "user_id", anna.id)
        yield* here.mailbox(anna, "anna@mail.example.org")
        const { id, path } = yield* here.link(anna)

        const away = yield* suite.call("GET", path)
        assert.strictEqual(away.status, 503)
        assert.isAbove(Number(away.headers.get("retry-after")), 0)
        const page = yield* suite.call("POST", path, { headers: { accept: "text/html" } })
        assert.strictEqual(page.status, 503)
        assert.match(page.headers.get("content-type")!, /^text\/html/)
        assert.strictEqual(yield* here.stateOf(id), "unused")
        assert.deepStrictEqual(
          (yield* here.revocations).map(({ data }) => [data.reason, data.extension_id]),
          [
            ["abandoned", null],
            ["abandoned", null]
          ]
        )
        assert.deepStrictEqual(yield* here.eventsOf("provisioning.completed"), [])

        yield* startSuite({ daemons: [mailDouble], fleet, database, env: shared })
        yield* untilWithin(
          30,
          "the link works",
          Effect.map(suite.call("GET", path), ({ status }) => status === 200)
        )
      }).pipe(Effect.scoped),
    patience
  )

  it.live(
    "ends what was issued when the link is revoked in the middle of its set-up",
    () =>
      Effect.gen(function* () {
        const [asked, go] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        const slow = mailDoubleAfter(Effect.andThen(Deferred.succeed(asked, undefined), Deferred.await(go)))
        const all = [identity, sipConfig, slow, provisioning]
        const { as, eventsOf, link, mailbox, person, revocations, stateOf, suite } = yield* startProvisioning({
          daemons: all,
          fleet: all
        }).pipe(Effect.provideService(AnswerWithin, Duration.seconds(25)))
        const anna = yield* person()
        yield* mailbox(anna, "anna@mail.example.org")
        const { id, path } = yield* link(anna)
        const opening = yield* Effect.forkScoped(suite.call("GET", path))
        yield* Deferred.await(asked)
        const revoked = yield* as(anna.headers)("DELETE", `/api/v1/provisioning/client-tokens/${id}`)
        assert.strictEqual(revoked.status, 204)
        yield* Deferred.succeed(go, undefined)
        assert.strictEqual((yield* Fiber.join(opening)).status, 404)
        assert.strictEqual(yield* stateOf(id), "revoked")
        assert.deepStrictEqual(
          (yield* revocations).map(({ data }) => data.reason),
          ["abandoned"]
        )
        assert.deepStrictEqual(yield* eventsOf("provisioning.completed"), [])
      }).pipe(Effect.scoped),
    patience
  )

  it.live(
    "ends what was issued when the set-up took too long, and leaves the link to the next set-up",
    () =>
      Effect.gen(function* () {
        const [asked, go] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        const slow = mailDoubleAfter(Effect.andThen(Deferred.succeed(asked, undefined), Deferred.await(go)))
        const all = [identity, sipConfig, slow, provisioning]
        const { eventsOf, link, mailbox, person, revocations, stateOf, suite } = yield* startProvisioning({
          daemons: all,
          fleet: all
        }).pipe(Effect.provideService(AnswerWithin, Duration.seconds(25)))
        const anna = yield* person()
        yield* mailbox(anna, "anna@mail.example.org")
        const [late, taken] = [yield* link(anna), yield* link(anna)]
        const opening = yield* Effect.forEach([late, taken], ({ path }) => Effect.forkScoped(suite.call("GET", path)))
        yield* Deferred.await(asked)
        yield* untilWithin(
          30,
          "both set-ups have begun",
          Effect.map(
            suite.sql`select 1 from provisioning.client_token where device_id is not null`,
            ({ length }) => length === 2
          )
        )
        const other = "0a0a0a0a-0000-4000-8000-000000000002"
        yield* suite.sql`update provisioning.client_token set device_id = ${other}::uuid,
        opening_until = now() + interval '1 hour' where id = ${taken.id}`
        // The sweep may give the link back before the set-up ends; the outcome is the same.
        yield* suite.sql`update provisioning.client_token set opening_until = now() where id = ${late.id}`
        yield* Deferred.succeed(go, undefined)
        for (const one of opening) assert.strictEqual((yield* Fiber.join(one)).status, 404)
        assert.strictEqual(yield* stateOf(late.id), "unused")
        assert.deepStrictEqual(yield* eventsOf("provisioning.completed"), [])
        assert.isAtLeast((yield* revocations).filter(({ data }) => data.reason === "abandoned").length, 2)
        const [held] = yield* suite.sql<any>`select device_id::text as device_id from provisioning.client_token
        where id = ${taken.id}`
        assert.strictEqual(held.device_id, other)
      }).pipe(Effect.scoped),
    patience
  )

  it.live(
    "gives a link back whose set-up died, and tells the other daemons",
    () =>
      Effect.gen(function* () {
        const { link, person, revocations, suite } = yield* startProvisioning()
        const anna = yield* person()
        const { id, path } = yield* link(anna)
        const device = "0a0a0a0a-0000-4000-8000-000000000001"
        yield* suite.sql`update provisioning.client_token set device_id = ${device}::uuid,
        opening_until = now() + interval '1 hour' where id = ${id}`
        assert.strictEqual((yield* suite.call("GET", path)).status, 404)
        yield* suite.sql`update provisioning.client_token set opening_until = now() where id = ${id}`
        yield* untilWithin(
          30,
          "the link is given back",
          Effect.map(
            suite.sql`select 1 from provisioning.client_token where id = ${id} and device_id is null`,
            ({ length }) => length === 1
          )
        )
        assert.deepInclude((yield* revocations)[0]!.data, { device_id: device, reason: "abandoned" })
        assert.strictEqual((yield* suite.call("GET", path)).status, 200)
      }).pipe(Effect.scoped),
    patience
  )

  // In the long run, because the daemons notice a stopped server by their time limits.
  it.live.skipIf(process.env["SIGNALBOX_TEST_LONG"] !== "1")(
    "answers 503 while Postgres is away, and the link works afterwards",
    () =>
      Effect.gen(function* () {
        const postgres = yield* AwayPostgres.make
        const { link, person, suite } = yield* startProvisioning({ database: postgres.database })
        const anna = yield* person()
        const { path } = yield* link(anna)
        yield* postgres.away
        const away = yield* suite.call("GET", path)
        assert.strictEqual(away.status, 503)
        assert.strictEqual(away.json.code, "unavailable")
        yield* postgres.back
        yield* untilWithin(
          60,
          "the link works again",
          Effect.map(suite.call("GET", path), ({ status }) => status === 200)
        )
      }).pipe(Effect.scoped),
    120_000
  )
})
