/**
 * The small shared cache of the interface documents: Redis when `REDIS_URL` names one, else an unlogged table. What is
 * in it can be lost at any time and is always also in the database.
 */
import { Context, Duration, Effect, Layer, Redacted, Schema } from "effect"
import { PgClient } from "@effect/sql-pg"
import { SqlClient } from "effect/sql"
import { Redis } from "ioredis"
import { settings } from "./Environment.ts"
import { platformSettings } from "./PlatformSettings.ts"

/** The cache does not answer. Never a reason to fail what is being done. */
export class CacheUnavailable extends Schema.TaggedError<CacheUnavailable>()("CacheUnavailable", {
  detail: Schema.String
}) {
  override get message() {
    return `the cache does not answer: ${this.detail}`
  }
}

/** How long a command may take. Unit: milliseconds. */
const commandTimeout = 1000

export class Cache extends Context.Service<Cache, {
  readonly kind: "redis" | "postgres"
  readonly set: (key: string, value: unknown, ttl: Duration.Duration) => Effect.Effect<void, CacheUnavailable>
  readonly get: (key: string) => Effect.Effect<unknown, CacheUnavailable>
  /** Round trip of a look-up. Unit: milliseconds. */
  readonly latency: Effect.Effect<number, CacheUnavailable>
}>()("signalbox/core/Cache") {}

const unavailable = (error: unknown) =>
  new CacheUnavailable({ detail: error instanceof Error ? error.message : String(error) })

const timed = (probe: Effect.Effect<unknown, CacheUnavailable>) =>
  Effect.gen(function*() {
    const before = performance.now()
    yield* probe
    return Math.round((performance.now() - before) * 100) / 100
  })

const redis = Effect.fnUntraced(function*(url: Redacted.Redacted) {
  const client = yield* Effect.acquireRelease(
    Effect.sync(() => {
      const made = new Redis(Redacted.value(url), {
        commandTimeout,
        connectTimeout: 5000,
        maxRetriesPerRequest: 1,
        enableOfflineQueue: false,
        keyPrefix: "signalbox:",
        retryStrategy: (tries) => Math.min(tries * 200, 5000)
      })
      // Reported by the commands that fail; without a listener the client would print by itself.
      made.on("error", () => {})
      return made
    }),
    (made) => Effect.sync(() => made.disconnect())
  )
  const call = <A>(use: () => Promise<A>) => Effect.tryPromise({ try: use, catch: unavailable })
  return Cache.of({
    kind: "redis",
    set: (key, value, ttl) =>
      Effect.asVoid(call(() => client.set(key, JSON.stringify(value), "PX", Math.ceil(Duration.toMillis(ttl))))),
    get: (key) =>
      Effect.map(call(() => client.get(key)), (text) => (text === null ? undefined : JSON.parse(text) as unknown)),
    latency: timed(call(() => client.ping()))
  })
})

const postgres = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const pg = yield* PgClient.PgClient
  const get = (key: string) =>
    sql<{ value: unknown }>`select value from core.cache where key = ${key} and expires_at > now()`.pipe(
      Effect.map((rows) => rows[0]?.value),
      Effect.mapError(unavailable)
    )
  return Cache.of({
    kind: "postgres",
    set: (key, value, ttl) =>
      sql`insert into core.cache (key, value, expires_at)
        values (${key}, ${pg.json(value)}, now() + make_interval(secs => ${Duration.toSeconds(ttl)}))
        on conflict (key) do update set value = excluded.value, expires_at = excluded.expires_at`.pipe(
        Effect.asVoid,
        Effect.mapError(unavailable)
      ),
    get,
    latency: timed(get("latency"))
  })
})

export const layer = Layer.effect(
  Cache,
  Effect.gen(function*() {
    const { redisUrl } = yield* settings({ redisUrl: platformSettings.redisUrl })
    return redisUrl === undefined ? yield* postgres : yield* redis(redisUrl)
  })
)
