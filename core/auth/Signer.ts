/**
 * Signs users' tokens with the newest active key. SigningKeys creates keys, in the daemon that owns sign-in; every
 * process with the key file may sign. Private keys are stored in envelopes.
 */
import { Clock, Effect, Redacted, Schema } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { type CryptoKey, importJWK, type JWK, SignJWT } from "jose"
import { contextOf, type SealedColumn, type SecretError, Secrets } from "../config/Secrets.ts"
import { algorithm } from "./Standing.ts"
import { type Claims, encode } from "./TokenClaims.ts"

export const sealedKeys: SealedColumn = { table: "core.signing_key", id: "kid", column: "private_jwk" }

/** How long the newest key is cached. Unit: milliseconds. */
const rememberFor = 30_000

/** There is no signing key, or its envelope does not open. An operator has to check the key file. */
export class NoSigningKey extends Schema.TaggedError<NoSigningKey>()("NoSigningKey", { detail: Schema.String }) {
  override get message() {
    return `no token can be signed: ${this.detail}`
  }
}

/** Returns the token of these claims, issued now. */
export type Sign = (claims: Claims) => Effect.Effect<string, NoSigningKey | SecretError | SqlError.SqlError>

interface Signing {
  readonly kid: string
  readonly key: CryptoKey
  readonly until: number
}

export const make: Effect.Effect<Sign, never, SqlClient.SqlClient | Secrets> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const secrets = yield* Secrets
  let held: Signing | undefined

  const current = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    if (held !== undefined && now < held.until) return held
    const [row] = yield* sql<{ kid: string; private_jwk: string }>`
      select kid, private_jwk from core.signing_key where signs_from <= now() order by signs_from desc limit 1`
    if (row === undefined) return yield* new NoSigningKey({ detail: "there is no signing key yet" })
    const opened = yield* secrets.open(row.private_jwk, contextOf(sealedKeys, row.kid))
    const key = yield* Effect.tryPromise({
      try: () => importJWK(JSON.parse(Redacted.value(opened)) as JWK, algorithm) as Promise<CryptoKey>,
      catch: () => new NoSigningKey({ detail: `key ${row.kid} cannot be read` })
    })
    held = { kid: row.kid, key, until: now + rememberFor }
    return held
  })

  return Effect.fnUntraced(function* (claims) {
    const { key, kid } = yield* current
    const now = Math.floor((yield* Clock.currentTimeMillis) / 1000)
    return yield* Effect.promise(() =>
      new SignJWT(encode(claims)).setProtectedHeader({ alg: algorithm, kid, typ: "JWT" }).setIssuedAt(now).sign(key)
    )
  })
})
