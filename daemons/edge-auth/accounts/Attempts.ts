/**
 * Counts failed sign-ins by client address, and failed codes also by account. An attempt is counted before it is
 * checked, so that parallel requests cannot exceed the limit. A successful attempt is removed again. Source: interface
 * document 3 §4.2, rule 6.
 */
import { Duration, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { clientKey } from "#core/http/ClientKey.ts"
import * as StoredLog from "#core/limits/StoredLog.ts"
import { transaction } from "#core/sql/Sql.ts"

export interface Limits {
  /** Period in which attempts are counted. Unit: seconds. */
  readonly window: number
  /** Failures that do not block. One more failure blocks all further attempts within the window. */
  readonly max: number
}

/**
 * Window for codes of one account, from any address. Unit: seconds. Reason: three of a million codes are valid at any
 * time. At ten or eleven tries an hour an attacker who knows the password needs about forty years to guess one.
 */
export const accountWindow = 3_600

const attempts = (limits: Limits) => ({
  name: "edge_auth.login",
  table: "edge_auth.login_attempts",
  key: "ip",
  at: "attempted_at",
  limit: limits.max + 1,
  unit: "failed attempts"
})

/** Limit of the failed attempts from one client address. */
const ofAddress = (limits: Limits): StoredLog.LogPolicy => ({
  ...attempts(limits),
  only: (sql) => sql`not starts_with(ip, 'account ') and not starts_with(ip, 'register ')`,
  window: Duration.seconds(limits.window)
})

/** Limit of the wrong second-factor codes for one account, from all addresses together. */
const ofAccount = (limits: Limits): StoredLog.LogPolicy => ({
  ...attempts(limits),
  only: (sql) => sql`starts_with(ip, 'account ')`,
  window: Duration.seconds(accountWindow)
})

/**
 * Registrations of one client address (IPv6: of its /64) within the window. Reason: more than an office behind one
 * address sends in an hour.
 */
export const maxRegistrations = 10

/** Limit of the registrations from one client address. */
export const ofRegistration: StoredLog.LogPolicy = {
  name: "edge_auth.registration",
  table: "edge_auth.login_attempts",
  key: "ip",
  at: "attempted_at",
  limit: maxRegistrations,
  unit: "registrations",
  only: (sql) => sql`starts_with(ip, 'register ')`,
  window: Duration.hours(1)
}

/** Too many failures of this address or account. `retryAfter`: whole seconds until the next attempt is allowed. */
export class TooMany extends Schema.TaggedError<TooMany>()("TooMany", { retryAfter: Schema.Int }) {}

/** Counts an attempt of `address`, and of `account` when a code is tried; returns the row ids for `takeBack`. */
export const reserve = (address: string, limits: Limits, account?: number) =>
  transaction(
    Effect.gen(function* () {
      const first = yield* reserveOne(ofAddress(limits), clientKey(address))
      return account === undefined ? [first] : [first, yield* reserveOne(ofAccount(limits), `account ${account}`)]
    })
  )

const reserveOne = Effect.fnUntraced(function* (policy: StoredLog.LogPolicy, key: string) {
  yield* StoredLog.lock(policy, [key])
  const retryAfter = yield* StoredLog.wait(policy, [key])
  if (retryAfter > 0) return yield* new TooMany({ retryAfter })
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{
    id: string
  }>`insert into edge_auth.login_attempts (ip) values (${key}) returning id::text as id`
  return row!.id
})

/** Removes attempts that succeeded or could not be checked. */
export const takeBack = Effect.fnUntraced(function* (ids: ReadonlyArray<string>) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`delete from edge_auth.login_attempts where id = any(${ids}::bigint[])`
})

/** Deletes attempts older than their window; returns how many. */
export const prune = (limits: Limits) => StoredLog.prune(ofAddress(limits), ofAccount(limits), ofRegistration)
