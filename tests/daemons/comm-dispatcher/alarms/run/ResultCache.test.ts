import { assert, describe, it } from "@effect/vitest"
import { Cache } from "#core/cache/Cache.ts"
import * as ResultCache from "#daemons/comm-dispatcher/alarms/run/ResultCache.ts"
import { PeerHealth } from "#daemons/comm-dispatcher/channels/Exports.ts"
import { Context, Effect, Layer, Logger } from "effect"
import { createClient } from "redis"
import { describePeers } from "#support/peers/DescribePeers.ts"
import { freePort, scratchFolder } from "#support/peers/Loopback.ts"
import { requirePeer } from "#support/peers/install.ts"
import { make } from "#support/peers/ServerProcess.ts"
import { startDispatcher, until } from "../../Dispatcher.ts"

const expected = (id: string) => ({ run_id: id, state: "delivered", severity: "INFO", targets: 1, delivered: 1 })

describe("comm.log_result without Redis", () => {
  it.live("leaves the result in the cache table beside the ledger, of refused alarms too", () =>
    Effect.gen(function* () {
      const { alarm, sql, trigger, url } = yield* startDispatcher()
      const cached = (id: string) =>
        Effect.map(
          sql<{
            value: any
            hours: number
          }>`select value, extract(epoch from expires_at - now())::float8 / 3600 as hours
          from core.cache where key = ${`alarm:run:${id}`}`,
          (rows) => rows[0]
        )
      const { id } = yield* alarm(`INFO:WEBHOOK+${url}/cache`)
      const refused: string = (yield* trigger("INFO:SMS+4915112345678", { from: "x@bad.test" })).json.run_id
      yield* until(
        "both results are cached",
        async () => (await Effect.runPromise(sql`select 1 from core.cache where key like 'alarm:run:%'`)).length === 2
      )
      const found = yield* cached(id)
      assert.deepStrictEqual(found!.value, expected(id))
      assert.closeTo(found!.hours, 24, 0.1)
      assert.deepStrictEqual((yield* cached(refused))!.value, {
        run_id: refused,
        state: "rejected",
        severity: null,
        targets: 0,
        delivered: 0
      })
    }).pipe(Effect.scoped)
  )
})

describe("results while the cache hangs", () => {
  it.effect("are written at most 64 at once", () =>
    Effect.gen(function* () {
      let writes = 0
      const hanging = Layer.succeed(
        Cache,
        Cache.of({
          kind: "redis",
          set: () =>
            Effect.andThen(
              Effect.sync(() => (writes += 1)),
              Effect.never
            ),
          get: () => Effect.never,
          latency: Effect.never
        })
      )
      const health = Layer.succeed(
        PeerHealth,
        PeerHealth.of({ note: () => Effect.succeed({}), seen: Effect.die("not asked") })
      )
      const context = yield* Layer.build(ResultCache.layer.pipe(Layer.provide([hanging, health])))
      const { remember } = Context.get(context, ResultCache.ResultCache)
      const result = { ...expected("1"), state: "delivered", severity: "INFO" } as const
      for (let count = 0; count < 70; count++) yield* remember(result)
      yield* Effect.yieldNow
      assert.strictEqual(writes, 64)
    }).pipe(Effect.scoped)
  )
})

describePeers(["redis"], "comm.log_result with Redis", () => {
  it.live(
    "leaves the result there; Redis away costs a log line and nothing else",
    () =>
      Effect.gen(function* () {
        const port = yield* freePort
        const found = requirePeer("redis")
        const folder = yield* scratchFolder("redis")
        const client = createClient({
          socket: { port, host: "127.0.0.1", reconnectStrategy: 100 },
          disableOfflineQueue: true
        })
        client.on("error", () => {})
        void client.connect().catch(() => {})
        yield* Effect.addFinalizer(() => Effect.sync(() => client.destroy()))
        const server = yield* make({
          peer: "redis",
          command: found.available ? found.path : "",
          args: ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--dir", folder],
          cwd: folder,
          isReady: () =>
            client.ping().then(
              () => true,
              () => false
            ),
          log: () => ""
        })
        const lines: Array<string> = []
        const logger = Logger.make<unknown, void>(({ message }) => void lines.push(String(message)))
        const { alarm, get, url } = yield* startDispatcher({ env: { REDIS_URL: `redis://127.0.0.1:${port}` } }).pipe(
          Effect.provide(Logger.layer([logger]))
        )
        const cache = Effect.map(get("/health"), ({ json }) => json.components.cache)

        const { id } = yield* alarm(`INFO:WEBHOOK+${url}/redis`)
        const key = `signalbox:alarm:run:${id}`
        yield* until("the result is in Redis", async () => (await client.exists(key)) === 1)
        assert.deepStrictEqual(JSON.parse((yield* Effect.promise(() => client.get(key))) as string), expected(id))
        assert.isAtLeast((yield* Effect.promise(() => client.ttl(key))) as number, 23 * 3600)
        assert.deepInclude(yield* cache, { status: "ok", kind: "redis" })

        yield* server.kill9
        for (const path of ["a", "b", "c"])
          assert.strictEqual((yield* alarm(`INFO:WEBHOOK+${url}/${path}`)).state, "delivered")
        const told = () => lines.filter((line) => line.includes("the cache does not answer"))
        yield* until("it is told", () => told().length > 0)
        assert.lengthOf(told(), 1)
        assert.strictEqual((yield* cache).status, "degraded")

        yield* server.start
        let back: string
        yield* until(
          "it is used again",
          async () => {
            back = (await Effect.runPromise(alarm(`INFO:WEBHOOK+${url}/${Math.random()}`))).id
            return (await client.exists(`signalbox:alarm:run:${back}`)) === 1
          },
          15_000
        )
        assert.strictEqual((yield* cache).status, "ok")
      }).pipe(Effect.scoped),
    120_000
  )
})
