/** The event socket through the gateway: visibility, reconnects, and refused clients. */
import { assert, describe, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { commDispatcher } from "#daemons/comm-dispatcher/Daemon.ts"
import { maxPerUser } from "#daemons/comm-dispatcher/event-socket/hub/Hub.ts"
import { EventClient } from "#support/EventClient.ts"
import { fakeUsers } from "#support/FakeUsers.ts"
import { until } from "#support/Frame.ts"
import { startSuite, type TestSuite } from "#support/TestSuite.ts"

class Place extends Context.Service<Place, TestSuite>()("test/Place") {
  static readonly layer = Layer.effect(
    Place,
    startSuite({ daemons: [commDispatcher], gateway: true, verifier: fakeUsers })
  )
}

const user = (tenant: number) => ({ token: `user:${tenant}:*` })

const emit = ({ sql }: TestSuite, type: string, tenant: number | null, member: number | null, data: object) =>
  sql`with e as (insert into core.event (type, source, tenant_id, user_id, data) values (${type}, 'test', ${tenant}, ${member}, ${sql.json(data)}) returning 1)
    select pg_notify('signalbox', 'event') from e`

const numbers = (client: EventClient) => client.events.map(({ data }) => data.n)

const hears = (client: EventClient, ...expected: ReadonlyArray<number>) =>
  Effect.promise(() => client.until(() => JSON.stringify(numbers(client)) === JSON.stringify(expected)))

describe("the event socket", () => {
  layer(Place.layer, { excludeTestServices: true })((it) => {
    const listening = (suite: TestSuite, auth: object, patterns?: ReadonlyArray<string>, last?: string) =>
      Effect.acquireRelease(
        Effect.promise(() => EventClient.listening(suite.base(), auth, patterns, last)),
        (client) => Effect.sync(() => client.end())
      )

    it.effect(
      "tells each what its tenant and its user may see",
      () =>
        Effect.gen(function* () {
          const suite = yield* Place
          const seven = yield* listening(suite, user(7))
          const eight = yield* listening(suite, user(8))
          const platform = yield* listening(suite, { service_token: yield* suite.token })
          yield* emit(suite, "walk.one", 7, null, { n: 1 })
          yield* emit(suite, "walk.one", 7, 70, { n: 2 })
          // A different user of tenant 7.
          yield* emit(suite, "walk.one", 7, 71, { n: 3 })
          yield* emit(suite, "walk.one", null, null, { n: 4 })
          yield* emit(suite, "walk.one", 8, 80, { n: 5 })
          yield* emit(suite, "walk.one", 7, null, { n: 6 })
          yield* hears(seven, 1, 2, 6)
          yield* hears(eight, 5)
          yield* hears(platform, 1, 2, 3, 4, 5, 6)
          assert.deepStrictEqual(
            seven.events.map(({ type }) => type),
            ["walk.one", "walk.one", "walk.one"]
          )
        }),
      120_000
    )

    it.effect(
      "tells only what was asked for",
      () =>
        Effect.gen(function* () {
          const suite = yield* Place
          const client = yield* listening(suite, user(7), ["mail.*", "call.incoming"])
          yield* emit(suite, "mailing.sent", 7, null, { n: 1 })
          yield* emit(suite, "mail.new_message", 7, 70, { n: 2 })
          // The client subscribed to the last event. When it arrives, all earlier ones have been processed.
          yield* emit(suite, "call.ended", 7, null, { n: 4 })
          yield* emit(suite, "call.incoming", 7, null, { n: 3 })
          yield* hears(client, 2, 3)
          client.say("unsubscribe", { patterns: ["mail.*"] })
          client.say("subscribe", { patterns: ["call.ended"] })
          yield* Effect.promise(() =>
            client.until(() => client.controls.filter(({ type }) => type === "subscribed").length === 2)
          )
          yield* emit(suite, "mail.new_message", 7, 70, { n: 5 })
          yield* emit(suite, "call.ended", 7, null, { n: 6 })
          yield* hears(client, 2, 3, 6)
        }),
      120_000
    )

    it.effect(
      "tells the state of things only to those whom their endpoints would show it to",
      () =>
        Effect.gen(function* () {
          const suite = yield* Place
          const may = yield* listening(suite, { token: "user:7:users.read" })
          const mayNot = yield* listening(suite, { token: "user:7:webmail.use" })
          yield* emit(suite, "identity.user.changed", 7, null, { n: 1 })
          yield* emit(suite, "mail.account.changed", 7, null, { n: 2 })
          yield* emit(suite, "identity.user.changed", 7, 70, { n: 3 })
          yield* emit(suite, "file.uploaded", 7, 70, { n: 4 })
          yield* hears(may, 1, 3, 4)
          yield* hears(mayNot, 3, 4)
        }),
      120_000
    )

    it.effect(
      "loses and repeats nothing for one that comes back, also what came before the first event it heard",
      () =>
        Effect.gen(function* () {
          const suite = yield* Place
          const first = yield* listening(suite, user(7))
          const { last } = first
          first.end()
          const many = 450
          for (let n = 0; n < many; n++) yield* emit(suite, "walk.many", n % 3 === 0 ? 8 : 7, null, { n })
          const second = yield* listening(suite, user(7), ["*"], last!)
          const expected = Array.from({ length: many }, (_, n) => n).filter((n) => n % 3 !== 0)
          yield* hears(second, ...expected)
          const third = yield* listening(suite, user(7), ["*"], second.events[9]!.id)
          yield* hears(third, ...expected.slice(10))
        }),
      120_000
    )

    it.effect(
      "holds an event back that an older transaction might still precede, and tells it then",
      () =>
        Effect.gen(function* () {
          const suite = yield* Place
          const client = yield* listening(suite, user(7))
          yield* suite.sql.withTransaction(
            Effect.gen(function* () {
              yield* suite.sql`insert into core.event (type, source, tenant_id, data) values ('walk.slow', 'test', 7, '{"n": 1}')`
              yield* Effect.forkChild(emit(suite, "walk.fast", 7, null, { n: 2 }))
              yield* Effect.sleep(300)
              assert.deepStrictEqual(numbers(client), [])
            })
          )
          yield* Effect.promise(() => client.until(() => client.events.length === 2))
          assert.deepStrictEqual(numbers(client).sort(), [1, 2])
        }),
      120_000
    )

    it.effect(
      "closes on whoever shows no token, a wrong one, or no frame of ours",
      () =>
        Effect.gen(function* () {
          const suite = yield* Place
          const closes = (...says: ReadonlyArray<readonly [string, unknown]>) =>
            Effect.promise(async () => {
              const client = await EventClient.connect(suite.base())
              for (const [type, data] of says) client.say(type, data)
              await client.until(() => client.closed !== undefined)
              return client.closed!.code
            })
          assert.strictEqual(yield* closes(["subscribe", { patterns: ["*"] }]), 4401)
          assert.strictEqual(yield* closes(["auth", { token: "forged" }]), 4401)
          assert.strictEqual(yield* closes(["auth", { service_token: "sbx_none" }]), 4401)
          assert.strictEqual(yield* closes(["auth", {}]), 4401)
          assert.strictEqual(yield* closes(["auth", user(7)], ["auth", user(8)]), 4401)
          assert.strictEqual(yield* closes(["auth", user(7)], ["shout", {}]), 4400)
          assert.strictEqual(yield* closes(["auth", user(7)], ["subscribe", { patterns: [] }]), 4400)
          assert.strictEqual(yield* closes(["auth", user(7)], ["subscribe", { patterns: ["mail*"] }]), 4400)
          assert.strictEqual(
            yield* closes(["auth", user(7)], ["subscribe", { patterns: ["*"], last_event_id: "9" }]),
            4400
          )
        }),
      120_000
    )

    it.effect(
      "has no place for a user's twenty-first connection, and one again when another has gone",
      () =>
        Effect.gen(function* () {
          const suite = yield* Place
          const clients = yield* Effect.forEach(Array.from({ length: maxPerUser }), () => listening(suite, user(9)))
          const refused = yield* Effect.promise(async () => {
            const client = await EventClient.connect(suite.base())
            client.say("auth", user(9))
            await client.until(() => client.closed !== undefined)
            return client.closed!.code
          })
          assert.strictEqual(refused, 4429)
          clients[0]!.end()
          yield* until(
            "there is room",
            Effect.promise(async () => {
              const client = await EventClient.connect(suite.base())
              client.say("auth", user(9))
              await client.until(() => client.closed !== undefined || client.controls.length > 0)
              const fits = client.closed === undefined
              client.end()
              return fits
            })
          )
        }),
      120_000
    )

    it.effect(
      "says that it cannot go on from before what was deleted",
      () =>
        Effect.gen(function* () {
          const suite = yield* Place
          yield* suite.sql`insert into core.event_floor (xid, id) values ('3000', 5) on conflict (one) do update set xid = excluded.xid`
          const code = yield* Effect.promise(async () => {
            const client = await EventClient.connect(suite.base())
            client.say("auth", user(7))
            client.say("subscribe", { patterns: ["*"], last_event_id: "5-1" })
            await client.until(() => client.closed !== undefined)
            return client.closed!.code
          })
          assert.strictEqual(code, 4410)
        }),
      120_000
    )
  })
})
