/**
 * Service tokens: `x-service-token`, platform scope. Only their SHA-256 is stored, so a copy of the database opens no
 * door. Tokens have 256 bits of randomness; a plain hash is enough for what cannot be guessed.
 *
 * Looked-up tokens are remembered for a few seconds; a revoked one works at most that long.
 */
import { Context, Duration, Effect, Layer, Redacted, Schema } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { createHash, randomBytes } from "node:crypto"

/** How long a look-up is trusted. Unit: seconds. Reason: the bound on how long a revoked token still works. */
const trustFor = Duration.seconds(5)

/** Remembered look-ups. Unit: entries. Reason: a flood of made-up tokens must not fill the heap. */
const remembered = 1000

/** What a token may do. Today the platform as a whole; narrower scopes are added beside it. */
export const Scope = Schema.Literals(["platform"])
export type Scope = typeof Scope.Type

/** A token as lists show it. The token itself is shown once, at its creation. */
export interface ServiceToken {
  readonly id: number
  readonly name: string
  readonly scope: Scope
  readonly created_at: Date
  readonly expires_at: Date | null
  readonly revoked_at: Date | null
  readonly last_used_at: Date | null
}

export class ServiceTokens extends Context.Service<ServiceTokens, {
  readonly create: (options: {
    readonly name: string
    readonly scope: Scope
    readonly expiresAt?: Date
  }) => Effect.Effect<{ readonly id: number; readonly token: Redacted.Redacted }, SqlError.SqlError>
  readonly list: Effect.Effect<ReadonlyArray<ServiceToken>, SqlError.SqlError>
  /** Answers whether there was such a token to revoke. */
  readonly revoke: (id: number) => Effect.Effect<boolean, SqlError.SqlError>
  /** The valid token behind the presented text, or nothing. */
  readonly find: (
    token: Redacted.Redacted
  ) => Effect.Effect<{ readonly id: number; readonly name: string; readonly scope: Scope } | undefined, SqlError.SqlError>
}>()("signalbox/core/auth/ServiceTokens") {}

type Found = { readonly id: number; readonly name: string; readonly scope: Scope } | undefined

export const layer: Layer.Layer<ServiceTokens, never, SqlClient.SqlClient> = Layer.effect(
  ServiceTokens,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const known = new Map<string, { readonly found: Found; readonly until: number }>()
    const hashOf = (token: Redacted.Redacted) => createHash("sha256").update(Redacted.value(token)).digest()

    return ServiceTokens.of({
      create: Effect.fnUntraced(function*(options) {
        const token = Redacted.make(`sbx_${randomBytes(32).toString("base64url")}`, { label: "service token" })
        const [row] = yield* sql<{ id: number }>`insert into core.service_token (name, hash, scope, expires_at)
          values (${options.name}, ${hashOf(token)}, ${options.scope}, ${options.expiresAt ?? null}) returning id`
        return { id: row!.id, token }
      }),
      list: sql<ServiceToken>`select id, name, scope, created_at, expires_at, revoked_at, last_used_at
        from core.service_token order by id`,
      revoke: (id) =>
        Effect.map(
          sql`update core.service_token set revoked_at = now() where id = ${id} and revoked_at is null returning id`,
          (rows) => rows.length > 0
        ),
      find: Effect.fnUntraced(function*(token) {
        const hash = hashOf(token)
        const key = hash.toString("base64")
        const now = Date.now()
        const held = known.get(key)
        if (held !== undefined && held.until > now) return held.found
        const [found] = yield* sql<NonNullable<Found>>`update core.service_token set last_used_at = now()
          where hash = ${hash} and revoked_at is null and (expires_at is null or expires_at > now())
          returning id, name, scope`
        if (known.size >= remembered) known.clear()
        known.set(key, { found, until: now + Duration.toMillis(trustFor) })
        return found
      })
    })
  })
)
