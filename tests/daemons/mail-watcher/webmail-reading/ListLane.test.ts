/** The message list on the fast lane gives the same answers as the ordinary handler. */
import { assert, describe, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { until } from "#support/Frame.ts"
import { addAccount, as, type Placed, startWatcher } from "../Watcher.ts"
import { mail, webmail } from "./Mails.ts"

const ann = "ann@example.test"
const bob = "bob@example.test"

class Place extends Context.Service<Place, Placed>()("test/Place") {
  static readonly layer = Layer.effect(
    Place,
    Effect.gen(function* () {
      const placed = yield* startWatcher([ann, bob])
      yield* addAccount(placed, { address: ann, tenant: 7 })
      for (let number = 1; number <= 3; number++)
        yield* placed.dovecot.deliver(ann, mail({ Subject: `=?utf-8?q?N=C3=BCmber_${number}?=` }, "text\r\n"))
      return placed
    })
  )
}

type Headers = Readonly<Record<string, string>>

/** The answer, and whether the lane gave it. */
const asked = ({ suite }: Placed, path: string, headers: Headers) =>
  Effect.gen(function* () {
    const before = yield* onLane(suite)
    const { headers: said, json, status } = yield* suite.call("GET", `${webmail}${path}`, { headers })
    const { date: _date, "keep-alive": _keep, connection: _connection, ...told } = Object.fromEntries(said)
    return { lane: (yield* onLane(suite)) > before, answer: { status, headers: told, json } }
  })

const onLane = (suite: Placed["suite"]) =>
  Effect.map(suite.call("GET", "/metrics"), ({ text }) =>
    Array.from(text.matchAll(/fast_lane_answers_total\{[^}]*messages\/:folder"[^}]*\} (\d+)/g), ([, count]) =>
      Number(count)
    ).reduce((sum, count) => sum + count, 0)
  )

/** The same request for the ordinary handler: `order=desc` is the default, but the lane does not support it. */
const ordinary = (path: string) => `${path}${path.includes("?") ? "&" : "?"}order=desc`

const service = (token: string): Headers => ({ "x-service-token": token })

describe("list lane", () => {
  layer(Place.layer, { excludeTestServices: true })((it) => {
    it.effect(
      "answers like the ordinary handler",
      () =>
        Effect.gen(function* () {
          const placed = yield* Place
          const token = yield* placed.suite.token
          const { headers } = as(7)
          // From now on the projections contain these callers.
          for (const known of [headers, service(token)]) yield* asked(placed, `/messages/INBOX?account=${ann}`, known)
          const cases: ReadonlyArray<readonly [string, Headers]> = [
            ["/messages/INBOX", headers],
            ["/messages/INBOX?page=2&per_page=2", headers],
            ["/messages/INBOX?page=9&what=ever", headers],
            [`/messages/%49NBOX?account=${encodeURIComponent(ann)}&per_page=1`, service(token)],
            ["/messages/nowhere", headers]
          ]
          for (const [path, caller] of cases) {
            // When the last request was a second ago, the lane passes the next one to the ordinary handler.
            const quick = yield* Effect.repeat(asked(placed, path, caller), { while: ({ lane }) => !lane, times: 20 })
            assert.deepStrictEqual([path, quick.lane], [path, true])
            assert.deepStrictEqual({ lane: false, answer: quick.answer }, yield* asked(placed, ordinary(path), caller))
          }
        }),
      120_000
    )

    it.effect(
      "passes unknown callers and invalid or filtered requests",
      () =>
        Effect.gen(function* () {
          const placed = yield* Place
          const { headers } = as(7)
          yield* asked(placed, "/messages/INBOX", headers)
          const cases: ReadonlyArray<readonly [string, Headers, number]> = [
            ["/messages/INBOX", {}, 401],
            ["/messages/INBOX", { authorization: "Bearer nobody" }, 401],
            ["/messages/INBOX", service("sbx_nobody"), 401],
            ["/messages/INBOX", as(7, "users.read").headers, 403],
            [`/messages/INBOX?account=${ann}`, as(8).headers, 404],
            ["/messages/INBOX", as(8).headers, 422],
            ["/messages/INBOX?page=0", headers, 422],
            ["/messages/INBOX?page=1&page=2", headers, 422],
            ["/messages/%00", headers, 404],
            ["/messages/INBOX?sort=size", headers, 200],
            ["/messages/INBOX?unseen=true", headers, 200]
          ]
          for (const [path, caller, status] of cases) {
            const { answer, lane } = yield* asked(placed, path, caller)
            assert.deepStrictEqual([path, answer.status, lane], [path, status, false])
          }
        }),
      120_000
    )

    it.effect(
      "follows revoked accounts and tokens within a second",
      () =>
        Effect.gen(function* () {
          const placed = yield* Place
          const { suite } = placed
          const id = yield* addAccount(placed, { address: bob, tenant: 9 })
          const { headers } = as(9)
          yield* until(
            "bob is on the lane",
            Effect.map(asked(placed, "/messages/INBOX", headers), ({ answer, lane }) => lane && answer.status === 200)
          )
          // A change without a notification.
          yield* suite.sql`update mail_watcher.account set tenant_id = 10, user_id = 100 where id = ${id}`
          yield* Effect.sleep("1 second")
          assert.strictEqual((yield* asked(placed, "/messages/INBOX", headers)).answer.status, 422)
          const token = yield* suite.token
          assert.strictEqual((yield* asked(placed, `/messages/INBOX?account=${id}`, service(token))).answer.status, 200)
          yield* suite.sql`update core.service_token set revoked_at = now()`
          yield* Effect.sleep("1 second")
          assert.strictEqual((yield* asked(placed, `/messages/INBOX?account=${id}`, service(token))).answer.status, 401)
        }),
      120_000
    )
  })
})
