/**
 * The small shared cache of the interface documents: Redis when `REDIS_URL` is set, else an unlogged table. Entries may
 * be lost at any time; the database always holds them too.
 *
 * The library keyv 6.1.0 stores each value in an envelope of its own and needs another package for each store. It has
 * 2,500 lines, this file 110.
 */
import { Context, Duration, Effect, Layer, Redacted, Schema } from "effect"
import { PgClient } from "@effect/sql-pg"
import { SqlClient } from "effect/sql"
import * as Batcher from "../sql/Batcher.ts"
import { settings } from "../config/Environment.ts"
import { platformSettings } from "../config/PlatformSettings.ts"

/** The cache does not answer. Callers continue without it. */
export class CacheUnavailable extends Schema.TaggedError<CacheUnavailable>()("CacheUnavailable", {
  detail: Schema.String
}) {
  override get message() {
    return `the cache does not answer: ${this.detail}`
  }
}

/** Maximum number of entries written in one statement. Reason: bounds the statement. */
const mostEntries = 64

interface Entry {
  readonly key: string
  readonly value: unknown
  /** Lifetime of the entry. */
  readonly seconds: number
}

export class Cache extends Context.Service<
  Cache,
  {
    readonly kind: "redis" | "postgres"
    readonly set: (key: string, value: unknown, ttl: Duration.Duration) => Effect.Effect<void, CacheUnavailable>
    readonly get: (key: string) => Effect.Effect<unknown, CacheUnavailable>
    /** Round-trip time of a look-up. Unit: milliseconds. */
    readonly latency: Effect.Effect<number, CacheUnavailable>
  }
>()("signalbox/core/Cache") {}

const unavailable = (error: unknown) =>
  new CacheUnavailable({ detail: error instanceof Error ? error.message : String(error) })

const timed = (probe: Effect.Effect<unknown, CacheUnavailable>) =>
  Effect.gen(function* () {
    const before = performance.now()
    yield* probe
    return Math.round((performance.now() - before) * 100) / 100
  })

const redis = Effect.fnUntraced(function* (url: Redacted.Redacted) {
  const { connect } = yield* Effect.promise(() => import("./RedisClient.ts"))
  const client = yield* Effect.acquireRelease(
    Effect.sync(() => connect(Redacted.value(url))),
    (made) => Effect.sync(() => made.close())
  )
  const call = <A>(use: () => Promise<A>) => Effect.tryPromise({ try: use, catch: unavailable })
  return Cache.of({
    kind: "redis",
    set: (key, value, ttl) => call(() => client.set(key, JSON.stringify(value), Math.ceil(Duration.toMillis(ttl)))),
    get: (key) =>
      Effect.map(
        call(() => client.get(key)),
        (text) => (text === null ? undefined : (JSON.parse(text) as unknown))
      ),
    latency: timed(call(() => client.ping()))
  })
})

const postgres = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const pg = yield* PgClient.PgClient
  const get = (key: string) =>
    sql<{ value: unknown }>`select value from core.cache where key = ${key} and expires_at > now()`.pipe(
      Effect.map((rows) => rows[0]?.value),
      Effect.mapError(unavailable)
    )
  // Each write would be a commit of its own; in a storm they share one.
  const put = yield* Batcher.make(
    (entries: ReadonlyArray<Entry>) => {
      const last = new Map(entries.map((entry) => [entry.key, entry]))
      return sql`insert into core.cache (key, value, expires_at)
      select key, value, now() + make_interval(secs => seconds)
        from jsonb_to_recordset(${pg.json([...last.values()])}::jsonb) as e (key text, value jsonb, seconds float8)
      on conflict (key) do update set value = excluded.value, expires_at = excluded.expires_at`.pipe(
        Effect.asVoid,
        Effect.mapError(unavailable),
        Effect.exit,
        Effect.map((done) => entries.map(() => done))
      )
    },
    { most: mostEntries }
  )
  return Cache.of({
    kind: "postgres",
    set: (key, value, ttl) => put({ key, value, seconds: Duration.toSeconds(ttl) }),
    get,
    latency: timed(get("latency"))
  })
})

export const layer = Layer.effect(
  Cache,
  Effect.gen(function* () {
    const { redisUrl } = yield* settings({ redisUrl: platformSettings.redisUrl })
    return redisUrl === undefined ? yield* postgres : yield* redis(redisUrl)
  })
)
