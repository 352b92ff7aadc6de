/**
 * Keys that sign users' tokens. The newest active key signs. A new key is published some time before it signs, so all
 * processes and readers of the JWKS know it by then. An old key verifies until the last token it signed has expired.
 * Private keys are stored in envelopes, public keys in core.verification_key. The daemon that owns sign-in runs the
 * upkeep; Signer signs.
 */
import { PgClient } from "@effect/sql-pg"
import { Clock, Context, Duration, Effect, Layer, Redacted } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { calculateJwkThumbprint, exportJWK, generateKeyPair } from "jose"
import { contextOf, type SecretError, Secrets } from "../config/Secrets.ts"
import { transaction } from "../sql/Sql.ts"
import { Actor, type ActorSpec } from "../supervision/Supervisor.ts"
import * as Signer from "./Signer.ts"
import { algorithm, announceStanding } from "./Standing.ts"
import { accessLifetime } from "./TokenClaims.ts"

/** Time between publishing a key and signing with it. Unit: minutes. Reason: readers cache a JWKS for minutes. */
const publishedBefore = Duration.minutes(10)

/** Time a key verifies after its last signature. Unit: seconds. Reason: the longest life of a token. */
const verifiesAfter = accessLifetime.max + 300

/** Interval of the check for a due key. Unit: minutes. */
const lookEvery = Duration.minutes(1)

export class SigningKeys extends Context.Service<
  SigningKeys,
  {
    readonly sign: Signer.Sign
    /** Ensures that a signing key is active and that the next one is published in time. */
    readonly upkeep: Effect.Effect<void, SecretError | SqlError.SqlError>
    readonly actor: ActorSpec<never>
  }
>()("signalbox/core/auth/SigningKeys") {}

/** `days`: how long one key signs. */
export const layer = (days: number) =>
  Layer.effect(
    SigningKeys,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const pg = yield* PgClient.PgClient
      const secrets = yield* Secrets
      const sign = yield* Signer.make

      const make = Effect.fnUntraced(function* (signsFrom: Date) {
        const pair = yield* Effect.promise(() => generateKeyPair(algorithm, { extractable: true }))
        const [privateJwk, publicJwk] = yield* Effect.promise(() =>
          Promise.all([exportJWK(pair.privateKey), exportJWK(pair.publicKey)])
        )
        const kid = yield* Effect.promise(() => calculateJwkThumbprint(publicJwk))
        const envelope = yield* secrets.seal(
          Redacted.make(JSON.stringify(privateJwk)),
          contextOf(Signer.sealedKeys, kid)
        )
        const retires = new Date(signsFrom.getTime() + Duration.toMillis(Duration.days(days)))
        const expires = new Date(retires.getTime() + verifiesAfter * 1000)
        const jwk = { ...publicJwk, kid, alg: algorithm, use: "sig" }
        return { kid, envelope, signsFrom, retires, expires, jwk }
      })

      const upkeep = Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        const [newest] = yield* sql<{
          retires_at: Date
        }>`select retires_at from core.signing_key order by signs_from desc limit 1`
        const due = newest === undefined ? now : newest.retires_at.getTime() - Duration.toMillis(publishedBefore)
        if (now < due) return
        const made = yield* make(
          new Date(
            newest === undefined ? now : Math.max(now + Duration.toMillis(publishedBefore), newest.retires_at.getTime())
          )
        )
        yield* transaction(
          Effect.gen(function* () {
            // When two processes find a key due, only one creates it: the second process sees the first one's key here.
            yield* sql`select pg_advisory_xact_lock(hashtext('core.signing_key'))`
            const [other] =
              yield* sql`select 1 from core.signing_key where retires_at > ${newest?.retires_at ?? new Date(0)}`
            if (other !== undefined) return
            yield* sql`insert into core.signing_key (kid, private_jwk, signs_from, retires_at)
            values (${made.kid}, ${made.envelope}, ${made.signsFrom}, ${made.retires})`
            yield* sql`insert into core.verification_key (kid, alg, jwk, expires_at)
            values (${made.kid}, ${algorithm}, ${pg.json(made.jwk)}, ${made.expires})`
            yield* sql`delete from core.signing_key where retires_at < now() - make_interval(secs => ${verifiesAfter})`
            yield* sql`delete from core.verification_key where expires_at < now()`
            yield* sql`select ${announceStanding(sql)}`
          })
        )
        yield* Effect.logInfo(`key ${made.kid} signs from ${made.signsFrom.toISOString()}`)
      }).pipe(Effect.provideService(SqlClient.SqlClient, sql))

      // The daemon cannot work without a readable key file. An unreachable database is handled by the code that starts
      // the daemon.
      yield* Effect.catchTag(upkeep, "SecretError", Effect.die)
      return SigningKeys.of({
        sign,
        upkeep,
        actor: {
          name: "signing keys",
          placed: true,
          run: Effect.gen(function* () {
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
