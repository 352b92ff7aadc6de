/**
 * Facts that every process needs to verify tokens: verification keys, sessions that ended before their tokens expired,
 * and service tokens. A projection of three small tables, so a check costs no statement and a revocation takes effect
 * within a second everywhere.
 */
import { Context, Effect, Layer } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { type CryptoKey, importJWK, type JWK } from "jose"
import * as Projection from "../lane/Projection.ts"
import type { Wake } from "../events/Wake.ts"

/** Topic that writers of the three tables announce. */
export const topic = "standing"

/** The announcement as a column of the caller's statement. */
export const announceStanding = (sql: SqlClient.SqlClient): Statement.Fragment => sql`pg_notify('signalbox', ${topic})`

/** The only algorithm of users' tokens. Reason: core/auth/README.md. Source: RFC 8037 §3.1. */
export const algorithm = "EdDSA"

/** Number of ended sessions in memory above which expired ones are removed. */
const tidyAt = 10_000

/** A key that may have signed tokens. */
export interface VerificationKey {
  readonly kid: string
  /** The public key as it is published. */
  readonly jwk: JWK
  readonly key: Promise<CryptoKey>
}

export class Standing extends Context.Service<
  Standing,
  Projection.Projection & {
    /** The key with this id, unless it is revoked or expired. */
    readonly key: (kid: string, now: number) => VerificationKey | undefined
    /** All keys that are valid at `now` (epoch milliseconds). */
    readonly keys: (now: number) => ReadonlyArray<VerificationKey>
    readonly hasEnded: (session: string) => boolean
    /** The valid service token, by the hex SHA-256 of its text. */
    readonly serviceToken: (
      hash: string,
      now: number
    ) => { readonly id: number; readonly name: string; readonly scopes: ReadonlySet<string> } | undefined
  }
>()("signalbox/core/auth/Standing") {}

interface KeyRow {
  readonly kid: string
  readonly jwk: JWK
  readonly until: number | null
}

interface TokenRow {
  readonly id: number
  readonly name: string
  readonly hash: string
  readonly scopes: ReadonlyArray<string>
  readonly until: number | null
}

export const layer: Layer.Layer<Standing, never, SqlClient.SqlClient | Wake> = Layer.effect(
  Standing,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const keys = new Map<string, VerificationKey & { readonly until: number }>()
    const ended = new Map<string, number>()
    const tokens = new Map<
      string,
      { readonly id: number; readonly name: string; readonly scopes: ReadonlySet<string>; readonly until: number }
    >()
    const millis = (column: string) => sql`floor(extract(epoch from ${sql(column)}) * 1000)::float8`

    const projection = yield* Projection.make({
      name: "the standing of tokens",
      topic,
      sources: {
        keys: {
          changed: (since) =>
            sql`select kid, jwk, ${millis("expires_at")} as until from core.verification_key
              where ${Projection.after(sql, since)}`,
          apply: (rows: ReadonlyArray<KeyRow>) => {
            for (const { jwk, kid, until } of rows) {
              const known = keys.get(kid)
              const key = known?.key ?? (importJWK(jwk, algorithm) as Promise<CryptoKey>)
              // An unreadable key verifies nothing; tokens with its id are refused, and other keys still work.
              key.catch(() => undefined)
              keys.set(kid, { kid, jwk, key, until: until ?? Number.POSITIVE_INFINITY })
            }
          }
        },
        ended: {
          changed: (since) =>
            sql`select session, ${millis("forget_at")} as until from core.ended_session
              where ${Projection.after(sql, since)}`,
          apply: (rows: ReadonlyArray<{ readonly session: string; readonly until: number }>) => {
            for (const { session, until } of rows) ended.set(session, until)
            if (ended.size < tidyAt) return
            const now = Date.now()
            for (const [session, until] of ended) if (until < now) ended.delete(session)
          }
        },
        tokens: {
          changed: (since) =>
            sql`select id, name, encode(hash, 'hex') as hash, scopes,
                  case when revoked_at is not null then 0 else ${millis("expires_at")} end as until
                from core.service_token where ${Projection.after(sql, since)}`,
          apply: (rows: ReadonlyArray<TokenRow>) => {
            for (const { hash, id, name, scopes, until } of rows) {
              tokens.set(hash, { id, name, scopes: new Set(scopes), until: until ?? Number.POSITIVE_INFINITY })
            }
          }
        }
      }
    })

    return Standing.of({
      ...projection,
      key: (kid, now) => {
        const found = keys.get(kid)
        return found !== undefined && now < found.until ? found : undefined
      },
      keys: (now) => Array.from(keys.values()).filter(({ until }) => now < until),
      hasEnded: (session) => ended.has(session),
      serviceToken: (hash, now) => {
        const found = tokens.get(hash)
        return found !== undefined && now < found.until ? found : undefined
      }
    })
  })
)
