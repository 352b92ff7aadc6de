/** Columns of the second factor. Functions run in the surrounding transaction. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { SealedColumn } from "#core/config/Secrets.ts"

/** Secret of the authenticator app, in base32. */
export const sealedSecret: SealedColumn = { table: "edge_auth.users", id: "id", column: "totp_secret" }

/** Hashes of the unused recovery codes, one on each line. */
export const sealedCodes: SealedColumn = { table: "edge_auth.users", id: "id", column: "recovery_codes" }

/** Time limit for the first code of a new secret. Unit: seconds. Reason: the password proof is from its creation. */
export const pendingLifetime = 900

interface Factor {
  /** Sealed secret. */
  readonly secret: string
  /** Time step of the last accepted code. */
  readonly step: number | null
  /** Sealed recovery codes. */
  readonly codes: string | null
}

/** Confirmed second factor of a user. */
export const confirmed = Effect.fnUntraced(function* (userId: number) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<Factor>`select totp_secret as secret, totp_step::float8 as step, recovery_codes as codes
      from edge_auth.users where id = ${userId} and totp_since is not null and totp_secret is not null`
  return row
})

/** Sealed secret that is not confirmed yet. */
export const pending = Effect.fnUntraced(function* (userId: number) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ secret: string }>`select totp_secret as secret from edge_auth.users
    where id = ${userId} and totp_since is null and totp_secret is not null
      and totp_begun > now() - make_interval(secs => ${pendingLifetime})`
  return row?.secret
})

/** Stores an unconfirmed secret; false when a confirmed one exists. */
export const begin = Effect.fnUntraced(function* (userId: number, secret: string) {
  const sql = yield* SqlClient.SqlClient
  return (
    (yield* sql`update edge_auth.users set totp_secret = ${secret}, totp_begun = now(), totp_step = null
    where id = ${userId} and totp_since is null returning 1`).length > 0
  )
})

/** Confirms `secret` by a code of `step`; false when the stored secret has changed since it was read. */
export const confirm = Effect.fnUntraced(function* (
  userId: number,
  { codes, secret, step }: { readonly secret: string; readonly step: number; readonly codes: string }
) {
  const sql = yield* SqlClient.SqlClient
  return (
    (yield* sql`update edge_auth.users set totp_since = now(), totp_step = ${step}, recovery_codes = ${codes}
    where id = ${userId} and totp_since is null and totp_secret = ${secret} returning 1`).length > 0
  )
})

/**
 * Records the time step of an accepted code; false when this or a later step was used before. Of two requests with the
 * same code the second waits for the row lock and gets false. Source: RFC 6238 §5.2.
 */
export const takeStep = Effect.fnUntraced(function* (userId: number, step: number) {
  const sql = yield* SqlClient.SqlClient
  return (
    (yield* sql`update edge_auth.users set totp_step = ${step}
    where id = ${userId} and totp_since is not null and coalesce(totp_step, -1) < ${step} returning 1`).length > 0
  )
})

/** Replaces the sealed recovery codes `before` by `left`; false when they have changed since they were read. */
export const spendCode = Effect.fnUntraced(function* (userId: number, before: string, left: string) {
  const sql = yield* SqlClient.SqlClient
  return (
    (yield* sql`update edge_auth.users set recovery_codes = ${left}
    where id = ${userId} and totp_since is not null and recovery_codes = ${before} returning 1`).length > 0
  )
})

/** Removes a confirmed second factor; false when there is none. */
export const remove = Effect.fnUntraced(function* (userId: number) {
  const sql = yield* SqlClient.SqlClient
  return (
    (yield* sql`update edge_auth.users
    set totp_secret = null, totp_begun = null, totp_since = null, totp_step = null, recovery_codes = null
    where id = ${userId} and totp_since is not null returning 1`).length > 0
  )
})
