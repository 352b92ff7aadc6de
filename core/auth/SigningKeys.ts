/**
 * The keys users' tokens are signed with. The newest whose time has come signs; a new one is published for a while
 * before it signs, so that every process and every reader of the JWKS knows it by then, and an old one verifies until
 * the last token it signed has expired. Private halves lie in envelopes; public ones in core.verification_key. The
 * daemon that owns sign-in keeps them up; Signer signs.
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

/** How long a new key is published before it signs. Unit: minutes. Reason: readers of a JWKS keep it for minutes. */
const publishedBefore = Duration.minutes(10)

/** How long it verifies after it has signed for the last time. Unit: seconds. Reason: the longest life of a token. */
const verifiesAfter = accessLifetime.max + 300

/** How often it is looked whether a new key is due. Unit: minutes. */
const lookEvery = Duration.minutes(1)

export class SigningKeys extends Context.Service<
  SigningKeys,
  {
    readonly sign: Signer.Sign
    /** Makes sure that a key signs, and that the next one is published in time. */
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
            // Two processes that find it due make one key: the second sees the first's when it gets here.
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

      // Without a readable key file nothing here can work; a database that is away is waited for by whoever starts us.
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
