/** The event socket with hostile clients and bad networks. */
import { assert, describe, it, layer } from "@effect/vitest"
import { Context, Deferred, Effect, Exit, Layer, Redacted, References, Scope } from "effect"
import { setImmediate } from "node:timers/promises"
import WebSocket from "ws"
import { TokenRefused, UserVerifier } from "#core/auth/UserVerifier.ts"
import { commDispatcher } from "#daemons/comm-dispatcher/Daemon.ts"
import { maxPerUser } from "#daemons/comm-dispatcher/event-socket/hub/Hub.ts"
import * as AwayPostgres from "#support/AwayPostgres.ts"
import { EventClient } from "#support/EventClient.ts"
import { fakeUsers } from "#support/FakeUsers.ts"
import { until } from "#support/Frame.ts"
import { startSuite, type TestSuite } from "#support/TestSuite.ts"

/** A token that is valid until `refused` completes. Its second verification waits for that. */
const gated = { token: "gated", asked: 0, refused: Deferred.makeUnsafe<void>() }

const verifier = Layer.effect(
  UserVerifier,
  Effect.map(UserVerifier, ({ findNow, verify }) =>
    UserVerifier.of({
      findNow,
      verify: (token) => {
        if (Redacted.value(token) !== gated.token) return verify(token)
        gated.asked += 1
        return gated.asked === 1
          ? verify(Redacted.make("user:7:*"))
          : Effect.andThen(Deferred.await(gated.refused), Effect.fail(new TokenRefused({ reason: "unknown_key" })))
      }
    })
  )
).pipe(Layer.provide(fakeUsers))

class Place extends Context.Service<Place, TestSuite>()("test/Place") {
  static readonly layer = Layer.effect(Place, startSuite({ daemons: [commDispatcher], gateway: true, verifier }))
}

const user = (tenant: number) => ({ token: `user:${tenant}:*` })

/** Emits events with numbers `from` to `to`, each with additional data. `size`: length of this data, in characters. */
const emit = ({ sql }: TestSuite, type: string, tenant: number, from: number, to = from, size = 0) =>
  sql`with e as (insert into core.event (type, source, tenant_id, data)
      select ${type}, 'test', ${tenant}, jsonb_build_object('n', n, 'ballast', repeat('x', ${size}::int)) from generate_series(${from}::int, ${to}::int) n returning 1)
    select pg_notify('signalbox', 'event') from (select count(*) from e) c`

const numbers = (client: EventClient) => client.events.map(({ data }) => data.n as number)

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)

const hears = (client: EventClient, expected: ReadonlyArray<number>, milliseconds?: number) =>
  Effect.map(
    Effect.promise(() => client.until(() => client.events.length >= expected.length, milliseconds)),
    () => assert.deepStrictEqual(numbers(client), expected)
  )

const listening = (suite: TestSuite, auth: object, patterns?: ReadonlyArray<string>, last?: string) =>
  Effect.acquireRelease(
    Effect.promise(() => EventClient.listening(suite.base(), auth, patterns, last)),
    (client) => Effect.sync(() => client.end())
  )

const connected = (suite: TestSuite) =>
  Effect.acquireRelease(
    Effect.promise(() => EventClient.connect(suite.base())),
    (client) => Effect.sync(() => client.end())
  )

/** Close code of the client. */
const farewell = (client: EventClient, milliseconds?: number) =>
  Effect.promise(async () => {
    await client.until(() => client.closed !== undefined, milliseconds)
    return client.closed!.code
  })

describe("the event socket, misused", () => {
  layer(Place.layer, { excludeTestServices: true })((it) => {
    it.effect(
      "tells of an event longer than what a client may have unread, live and to one that comes back",
      () =>
        Effect.gen(function* () {
          const suite = yield* Place
          const client = yield* listening(suite, user(17))
          const { last } = client
          yield* emit(suite, "walk.long", 17, 1, 1, 8_000_000)
          yield* hears(client, [1])
          yield* emit(suite, "walk.short", 17, 2)
          yield* hears(client, [1, 2])
          yield* hears(yield* listening(suite, user(17), ["*"], last), [1, 2])
        }),
      120_000
    )

    it.effect(
      "tells one that comes back of more than it may have unread",
      () =>
        Effect.gen(function* () {
          const suite = yield* Place
          const { end, last } = yield* Effect.map(listening(suite, user(18)), (client) => ({
            end: () => client.end(),
            last: client.last
          }))
          end()
          yield* emit(suite, "walk.long", 18, 1, 400, 50_000)
          const client = yield* connected(suite)
          client.say("auth", user(18))
          client.say("subscribe", { patterns: ["walk.*"], last_event_id: last })
          // During catch-up. The new pattern applies from now on; no event is repeated or skipped.
          client.say("subscribe", { patterns: ["late.*"] })
          yield* hears(client, range(1, 400))
          yield* Effect.promise(() =>
            client.until(() =>
              client.controls.some(({ data, type }) => type === "subscribed" && data.patterns.includes("late.*"))
            )
          )
          yield* emit(suite, "late.one", 18, 401)
          yield* hears(client, range(1, 401))
        }),
      120_000
    )

    it.effect(
      "closes on one that asks and asks and reads no answer",
      () =>
        Effect.gen(function* () {
          const suite = yield* Place
          const client = yield* listening(
            suite,
            user(19),
            range(1, 50).map((n) => `${"p".repeat(95)}.x${n}`)
          )
          const { socket } = client
          socket.pause()
          const question = JSON.stringify({ type: "unsubscribe", data: { patterns: ["x"] } })
          // Each answer lists all fifty patterns, 5 KB.
          yield* Effect.promise(async () => {
            for (let sent = 0; sent < 4_000 && client.closed === undefined; sent++) {
              socket.send(question)
              if (sent % 8 === 7) await setImmediate()
            }
            await setImmediate()
          })
          socket.send(question)
          yield* Effect.sleep(200)
          socket.resume()
          // 4400: on a busy machine more of them may arrive at once than may wait.
          assert.include([4413, 4400, 1006], yield* farewell(client))
        }),
      120_000
    )

    it.effect(
      "says by the protocol's own codes what was no WebSocket",
      () =>
        Effect.gen(function* () {
          const suite = yield* Place
          const closes = (send: (socket: WebSocket) => void) =>
            Effect.gen(function* () {
              const client = yield* connected(suite)
              send(client.socket)
              return yield* farewell(client)
            })
          assert.strictEqual(yield* closes((socket) => socket.send("x".repeat(17 * 1024))), 1009)
          assert.strictEqual(yield* closes((socket) => socket.send(Buffer.from([0xff, 0xfe]), { binary: false })), 1007)
          assert.strictEqual(yield* closes((socket) => socket.send(Buffer.from("{}"), { binary: true })), 4400)
          assert.strictEqual(yield* closes((socket) => socket.send("[".repeat(16_000))), 4400)
        }),
      120_000
    )

    it.effect(
      "has room for a user again soon when the others have silently gone",
      () =>
        Effect.gen(function* () {
          const suite = yield* Place
          const silent = (): Promise<WebSocket> =>
            new Promise((resolve, reject) => {
              const socket = new WebSocket(`${suite.base().replace("http", "ws")}/api/v1/ws`, { autoPong: false })
              socket
                .on("error", reject)
                .on("message", () => resolve(socket))
                .on("open", () => socket.send(JSON.stringify({ type: "auth", data: user(20) })))
            })
          const gone = yield* Effect.promise(() => Promise.all(range(1, maxPerUser).map(silent)))
          const attempt = Effect.gen(function* () {
            const client = yield* connected(suite)
            client.say("auth", user(20))
            yield* Effect.promise(() => client.until(() => client.closed !== undefined || client.controls.length > 0))
            return client.closed?.code
          }).pipe(Effect.scoped)
          assert.strictEqual(yield* attempt, 4429)
          yield* until(
            "there is room",
            Effect.map(attempt, (code) => code === undefined)
          )
          for (const socket of gone) socket.terminate()
        }),
      120_000
    )

    it.effect(
      "keeps one that showed a new token while the old one was being looked at",
      () =>
        Effect.gen(function* () {
          const suite = yield* Place
          const client = yield* listening(suite, { token: gated.token })
          yield* until(
            "the token is looked at again",
            Effect.sync(() => gated.asked > 1)
          )
          client.say("auth", user(7))
          yield* Effect.promise(() =>
            client.until(() => client.controls.filter(({ type }) => type === "auth_ok").length === 2)
          )
          yield* Deferred.succeed(gated.refused, undefined)
          client.say("ping", {})
          yield* Effect.promise(() => client.until(() => client.controls.some(({ type }) => type === "pong")))
          yield* emit(suite, "walk.one", 7, 1)
          yield* hears(client, [1])
        }),
      120_000
    )

    it.effect(
      "knows an id that this database has not reached yet for another's",
      () =>
        Effect.gen(function* () {
          const suite = yield* Place
          const client = yield* connected(suite)
          client.say("auth", user(7))
          client.say("subscribe", { patterns: ["*"], last_event_id: "900000000000-1" })
          assert.strictEqual(yield* farewell(client), 4410)
        }),
      120_000
    )

    it.effect(
      "gives the places of those back that leave while they catch up",
      () =>
        Effect.gen(function* () {
          const suite = yield* Place
          const { last } = yield* listening(suite, user(21))
          yield* emit(suite, "walk.one", 21, 1, 1_000, 1_000)
          for (let round = 0; round < 2 * maxPerUser; round++) {
            const client = yield* connected(suite)
            client.say("auth", user(21))
            client.say("subscribe", { patterns: ["*"], last_event_id: last })
            yield* Effect.promise(() => client.until(() => client.closed !== undefined || client.events.length > 0))
            client.end()
          }
          yield* until(
            "the last has gone",
            Effect.map(Effect.exit(Effect.scoped(listening(suite, user(21)))), Exit.isSuccess)
          )
          yield* hears(yield* listening(suite, user(21), ["*"], last), range(1, 1_000))
        }),
      120_000
    )
  })

  it.live(
    "stops with a farewell, and soon",
    () =>
      Effect.gen(function* () {
        const scope = yield* Scope.make()
        const suite = yield* Scope.provide(
          startSuite({ daemons: [commDispatcher], gateway: true, verifier: fakeUsers }),
          scope
        )
        const client = yield* listening(suite, user(7))
        const unread = yield* listening(suite, user(8))
        unread.socket.pause()
        const began = performance.now()
        yield* Scope.close(scope, Exit.void)
        assert.isBelow(performance.now() - began, 12_000)
        assert.strictEqual(yield* farewell(client), 1001)
      }).pipe(Effect.scoped),
    120_000
  )

  it.live(
    "keeps everybody while the database is away, and tells afterwards what there is, once",
    () =>
      Effect.gen(function* () {
        const { away, back, database } = yield* AwayPostgres.make
        const suite = yield* startSuite({ daemons: [commDispatcher], gateway: true, verifier: fakeUsers, database })
        const client = yield* listening(suite, user(7))
        const platform = yield* listening(suite, { service_token: yield* suite.token })
        const written: Array<number> = []
        const write = (n: number) => Effect.tap(emit(suite, "walk.one", 7, n), () => Effect.sync(() => written.push(n)))
        for (let n = 0; n < 20; n++) yield* write(n)
        yield* away
        // Long enough for every token to be checked again.
        yield* Effect.sleep(7_000)
        yield* back
        yield* until("it is written again", Effect.isSuccess(write(20)), 20)
        for (let n = 21; n < 40; n++) yield* write(n)
        for (const one of [client, platform]) {
          yield* hears(one, written, 30_000)
          assert.isUndefined(one.closed)
        }
      }).pipe(Effect.scoped, Effect.provideService(References.MinimumLogLevel, "Fatal")),
    120_000
  )
})
