/**
 * The keys users' tokens are signed with. The newest whose time has come signs; a new one is published for a while before it
 * signs, so that every process and every reader of the JWKS knows it by then, and an old one verifies until the last token it
 * signed has expired. Private halves lie in envelopes; public ones in core.verification_key.
 */
import { PgClient } from "@effect/sql-pg"
import { Clock, Context, Duration, Effect, Layer, Redacted, Schema } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { calculateJwkThumbprint, type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from "jose"
import { algorithm, announceStanding } from "#core/auth/Standing.ts"
import { accessLifetime, type Claims, encode } from "#core/auth/TokenClaims.ts"
import { contextOf, type SealedColumn, type SecretError, Secrets } from "#core/Secrets.ts"
import { transaction } from "#core/Sql.ts"
import { Actor, type ActorSpec } from "#core/Supervisor.ts"

export const sealedKeys: SealedColumn = { table: "identity.signing_key", id: "kid", column: "private_jwk" }

/** How long a new key is published before it signs. Unit: minutes. Reason: readers of a JWKS keep it for minutes. */
const publishedBefore = Duration.minutes(10)

/** How long it verifies after it has signed for the last time. Unit: seconds. Reason: the longest life of a token. */
const verifiesAfter = accessLifetime.max + 300

/** How often it is looked whether a new key is due. Unit: minutes. */
const lookEvery = Duration.minutes(1)

/** How long the signing key is taken for the newest. Unit: milliseconds. */
const rememberFor = 30_000

/** There is no key to sign with, or it cannot be opened. An operator has to look at the key file. */
export class NoSigningKey extends Schema.TaggedError<NoSigningKey>()("NoSigningKey", { detail: Schema.String }) {
  override get message() {
    return `no token can be signed: ${this.detail}`
  }
}

export class SigningKeys extends Context.Service<SigningKeys, {
  readonly sign: (claims: Claims) => Effect.Effect<string, NoSigningKey | SecretError | SqlError.SqlError>
  /** Makes sure that a key signs, and that the next one is published in time. */
  readonly upkeep: Effect.Effect<void, SecretError | SqlError.SqlError>
  readonly actor: ActorSpec<never>
}>()("signalbox/identity/SigningKeys") {}

interface Signing {
  readonly kid: string
  readonly key: CryptoKey
  readonly until: number
}

/** `days`: how long one key signs. */
export const layer = (days: number) =>
  Layer.effect(
    SigningKeys,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const pg = yield* PgClient.PgClient
      const secrets = yield* Secrets
      let held: Signing | undefined

      const make = Effect.fnUntraced(function*(signsFrom: Date) {
        const pair = yield* Effect.promise(() => generateKeyPair(algorithm, { extractable: true }))
        const [privateJwk, publicJwk] = yield* Effect.promise(() => Promise.all([exportJWK(pair.privateKey), exportJWK(pair.publicKey)]))
        const kid = yield* Effect.promise(() => calculateJwkThumbprint(publicJwk))
        const envelope = yield* secrets.seal(Redacted.make(JSON.stringify(privateJwk)), contextOf(sealedKeys, kid))
        const retires = new Date(signsFrom.getTime() + Duration.toMillis(Duration.days(days)))
        const expires = new Date(retires.getTime() + verifiesAfter * 1000)
        const jwk = { ...publicJwk, kid, alg: algorithm, use: "sig" }
        return { kid, envelope, signsFrom, retires, expires, jwk }
      })

      const upkeep = Effect.gen(function*() {
        const now = yield* Clock.currentTimeMillis
        const [newest] = yield* sql<{ retires_at: Date }>`select retires_at from identity.signing_key order by signs_from desc limit 1`
        const due = newest === undefined ? now : newest.retires_at.getTime() - Duration.toMillis(publishedBefore)
        if (now < due) return
        const made = yield* make(new Date(newest === undefined ? now : Math.max(now + Duration.toMillis(publishedBefore), newest.retires_at.getTime())))
        yield* transaction(Effect.gen(function*() {
          // Two processes that find it due make one key: the second sees the first's when it gets here.
          yield* sql`select pg_advisory_xact_lock(hashtext('identity.signing_key'))`
          const [other] = yield* sql`select 1 from identity.signing_key where retires_at > ${newest?.retires_at ?? new Date(0)}`
          if (other !== undefined) return
          yield* sql`insert into identity.signing_key (kid, private_jwk, signs_from, retires_at)
            values (${made.kid}, ${made.envelope}, ${made.signsFrom}, ${made.retires})`
          yield* sql`insert into core.verification_key (kid, alg, jwk, expires_at)
            values (${made.kid}, ${algorithm}, ${pg.json(made.jwk)}, ${made.expires})`
          yield* sql`delete from identity.signing_key where retires_at < now() - make_interval(secs => ${verifiesAfter})`
          yield* sql`delete from core.verification_key where expires_at < now()`
          yield* sql`select ${announceStanding(sql)}`
        }))
        yield* Effect.logInfo(`key ${made.kid} signs from ${made.signsFrom.toISOString()}`)
      }).pipe(Effect.provideService(SqlClient.SqlClient, sql))

      const current = Effect.gen(function*() {
        const now = yield* Clock.currentTimeMillis
        if (held !== undefined && now < held.until) return held
        const [row] = yield* sql<{ kid: string; private_jwk: string }>`
          select kid, private_jwk from identity.signing_key where signs_from <= now() order by signs_from desc limit 1`
        if (row === undefined) return yield* new NoSigningKey({ detail: "there is none yet" })
        const opened = yield* secrets.open(row.private_jwk, contextOf(sealedKeys, row.kid))
        const key = yield* Effect.tryPromise({
          try: () => importJWK(JSON.parse(Redacted.value(opened)) as JWK, algorithm) as Promise<CryptoKey>,
          catch: () => new NoSigningKey({ detail: `key ${row.kid} cannot be read` })
        })
        held = { kid: row.kid, key, until: now + rememberFor }
        return held
      })

      // Without a readable key file nothing here can work; a database that is away is waited for by whoever starts us.
      yield* Effect.catchTag(upkeep, "SecretError", Effect.die)
      return SigningKeys.of({
        sign: Effect.fnUntraced(function*(claims) {
          const { key, kid } = yield* current
          const now = Math.floor((yield* Clock.currentTimeMillis) / 1000)
          return yield* Effect.promise(() =>
            new SignJWT(encode(claims)).setProtectedHeader({ alg: algorithm, kid, typ: "JWT" }).setIssuedAt(now).sign(key))
        }),
        upkeep,
        actor: {
          name: "signing keys",
          placed: true,
          run: Effect.gen(function*() {
            const actor = yield* Actor
            while (true) {
              yield* actor.progress
              yield* upkeep
              yield* Effect.sleep(lookEvery)
            }
          })
        }
      })
    })
  )
