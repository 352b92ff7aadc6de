/** The columns of the second factor. Functions run in the surrounding transaction. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { SealedColumn } from "#core/config/Secrets.ts"

/** The app's secret in base32. */
export const sealedSecret: SealedColumn = { table: "edge_auth.users", id: "id", column: "totp_secret" }

/** Hashes of the recovery codes that are left, one a line. */
export const sealedCodes: SealedColumn = { table: "edge_auth.users", id: "id", column: "recovery_codes" }

/**
 * How long a secret waits for its first code. Unit: seconds. Reason: the password that was asked for it was typed just
 * then.
 */
export const pendingLifetime = 900

interface Factor {
  /** Envelope of the secret. */
  readonly secret: string
  /** The last step that was taken. */
  readonly step: number | null
  /** Envelope of the recovery codes. */
  readonly codes: string | null
}

/** Of a user who has confirmed it. */
export const confirmed = Effect.fnUntraced(function* (userId: number) {
  const sql = yield* SqlClient.SqlClient
  const [row] =
    yield* sql<Factor>`select totp_secret as secret, totp_step::float8 as step, recovery_codes as codes from edge_auth.users
    where id = ${userId} and totp_since is not null and totp_secret is not null`
  return row
})

/** Envelope of the secret that waits for its first code. */
export const pending = Effect.fnUntraced(function* (userId: number) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ secret: string }>`select totp_secret as secret from edge_auth.users
    where id = ${userId} and totp_since is null and totp_secret is not null and totp_begun > now() - make_interval(secs => ${pendingLifetime})`
  return row?.secret
})

/** Keeps a secret that is not good yet; false when a confirmed one stands. */
export const begin = Effect.fnUntraced(function* (userId: number, secret: string) {
  const sql = yield* SqlClient.SqlClient
  return (
    (yield* sql`update edge_auth.users set totp_secret = ${secret}, totp_begun = now(), totp_step = null
    where id = ${userId} and totp_since is null returning 1`).length > 0
  )
})

/** Makes exactly the secret that was read good, by a code of `step`; false when it is another by now. */
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
 * Takes a step; false when it or a later one was taken before: of two with one code the second waits here and is
 * refused. Source: RFC 6238 §5.2.
 */
export const takeStep = Effect.fnUntraced(function* (userId: number, step: number) {
  const sql = yield* SqlClient.SqlClient
  return (
    (yield* sql`update edge_auth.users set totp_step = ${step}
    where id = ${userId} and totp_since is not null and coalesce(totp_step, -1) < ${step} returning 1`).length > 0
  )
})

/** Puts those that are left in the place of those that were read; false when another used one meanwhile. */
export const spendCode = Effect.fnUntraced(function* (userId: number, before: string, left: string) {
  const sql = yield* SqlClient.SqlClient
  return (
    (yield* sql`update edge_auth.users set recovery_codes = ${left}
    where id = ${userId} and totp_since is not null and recovery_codes = ${before} returning 1`).length > 0
  )
})

/** Takes it away; false when there was none. */
export const remove = Effect.fnUntraced(function* (userId: number) {
  const sql = yield* SqlClient.SqlClient
  return (
    (yield* sql`update edge_auth.users set totp_secret = null, totp_begun = null, totp_since = null, totp_step = null, recovery_codes = null
    where id = ${userId} and totp_since is not null returning 1`).length > 0
  )
})
