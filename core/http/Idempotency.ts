/**
 * `Idempotency-Key` of creating calls. The same key and body within 24 h return the first answer; the same key with
 * another body is refused. Key and change are written in one transaction, so a crash cannot separate them. A second
 * request with the same key waits for the first one and gets its answer.
 */
import { PgClient } from "@effect/sql-pg"
import { Effect, Schema } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { createHash } from "node:crypto"
import { Caller, inScope, nameOf } from "../auth/Caller.ts"
import type { Database } from "../sql/Database.ts"
import { asPlatform } from "../sql/Sql.ts"
import { IdempotencyKeyReused } from "./Problem.ts"

/** Retention of keys. Unit: hours. Source: the house rule for creating calls. */
export const rememberedHours = 24

/** The header, bounded. Unit: characters. */
export const IdempotencyKey = Schema.String.pipe(Schema.check(Schema.isMinLength(1), Schema.isMaxLength(255)))

/** The request header of endpoints that create. */
export const headers = Schema.Struct({ "idempotency-key": Schema.optionalKey(IdempotencyKey) })

/**
 * Runs `create` once per key in the caller's transaction and returns the answer of the first run. Without a key it only
 * runs `create` in that transaction. `create` may only write to the database.
 */
export const once = <S extends Schema.Codec<unknown, unknown>, E, R>(options: {
  readonly key: string | undefined
  /** Stable name of the endpoint, `workflows.trigger`. */
  readonly endpoint: string
  /** The decoded body, to distinguish requests. */
  readonly body: unknown
  /** Fields of which only the presence is compared. Reason: the stored hash is too weak to protect a password. */
  readonly secrets?: ReadonlyArray<string>
  readonly response: S
  readonly create: Effect.Effect<S["Type"], E, R>
}): Effect.Effect<
  S["Type"],
  E | IdempotencyKeyReused | SqlError.SqlError,
  R | Caller | SqlClient.SqlClient | PgClient.PgClient | Database
> =>
  inScope(
    Effect.gen(function* () {
      if (options.key === undefined) return yield* options.create
      const sql = yield* SqlClient.SqlClient
      const pg = yield* PgClient.PgClient
      const owner = nameOf(yield* Caller)
      const hash = createHash("sha256")
        .update(canonical(withoutSecrets(options.body, options.secrets ?? [])))
        .digest()
      const row = sql`caller = ${owner} and endpoint = ${options.endpoint} and key = ${options.key}`
      const taken = yield* asPlatform(
        Effect.gen(function* () {
          yield* sql`delete from core.idempotency_key
            where ${row} and created_at < now() - make_interval(hours => ${rememberedHours})`
          const mine = yield* sql`insert into core.idempotency_key (caller, endpoint, key, body_hash)
        values (${owner}, ${options.endpoint}, ${options.key!}, ${hash}) on conflict do nothing returning 1`
          if (mine.length > 0) return undefined
          const [first] = yield* sql<{ body_hash: Uint8Array; response: unknown }>`
        select body_hash, response from core.idempotency_key where ${row}`
          return first
        })
      )
      if (taken === undefined) {
        const answer = yield* options.create
        const encoded = yield* Effect.orDie(Schema.encodeEffect(options.response)(answer))
        yield* asPlatform(sql`update core.idempotency_key set response = ${pg.json(encoded)} where ${row}`)
        return answer
      }
      if (!hash.equals(taken.body_hash)) {
        return yield* new IdempotencyKeyReused({ detail: "Send another key for another request." })
      }
      return yield* Effect.orDie(Schema.decodeUnknownEffect(options.response)(taken.response))
    })
  ) as never

/** The body for comparison. Secret fields are replaced by whether they are present. */
export const withoutSecrets = (body: unknown, secrets: ReadonlyArray<string>): unknown => {
  if (typeof body !== "object" || body === null || secrets.length === 0) return body
  const given = new Map(Object.entries(body))
  const presence = secrets.map((name) => [name, (given.get(name) ?? null) !== null] as const)
  return { ...body, ...Object.fromEntries(presence) }
}

/** The key is new. Fails the transaction that looked it up, so that it leaves nothing. */
class KeyIsNew extends Schema.TaggedError<KeyIsNew>()("KeyIsNew", {}) {}

/**
 * The same for endpoints that ask another server before they write. `before` runs with no transaction open, and only
 * for a new key: a repeated or refused request asks nobody.
 */
export const onceAfter = <S extends Schema.Codec<unknown, unknown>, A, E, R, E2, R2>({
  before,
  create,
  ...request
}: {
  readonly key: string | undefined
  readonly endpoint: string
  readonly body: unknown
  readonly secrets?: ReadonlyArray<string>
  readonly response: S
  readonly before: Effect.Effect<A, E, R>
  /** May only write to the database. */
  readonly create: (found: A) => Effect.Effect<S["Type"], E2, R2>
}): Effect.Effect<
  S["Type"],
  E | E2 | IdempotencyKeyReused | SqlError.SqlError,
  R | R2 | Caller | SqlClient.SqlClient | PgClient.PgClient | Database
> => {
  const asked = Effect.flatMap(before, (found) => once({ ...request, create: create(found) }))
  return request.key === undefined
    ? asked
    : Effect.catchTag(once({ ...request, create: Effect.fail(new KeyIsNew()) }), "KeyIsNew", () => asked)
}

/** JSON with sorted keys, so the order of fields does not matter. */
export const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, inner: unknown) =>
    inner !== null && typeof inner === "object" && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner
  ) ?? "null"

/** Deletes expired keys; returns their number. */
export const prune: Effect.Effect<number, SqlError.SqlError, SqlClient.SqlClient> = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) =>
    Effect.map(
      sql`delete from core.idempotency_key
        where created_at < now() - make_interval(hours => ${rememberedHours}) returning 1`,
      (rows) => rows.length
    )
)
