/**
 * Counts failed sign-ins by client address and by account (core/limits/SignInAttempts.ts), and failed codes also by
 * account within an hour. An attempt is counted before it is checked, so that parallel requests cannot exceed the
 * limit. A successful attempt is removed again. Source: interface document 3 §4.2, rule 6.
 */
import { Duration, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Secrets } from "#core/config/Secrets.ts"
import { clientKey } from "#core/http/ClientKey.ts"
import { checkedWithin, keysOf, knownFor } from "#core/limits/SignInAttempts.ts"
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

/** Purpose of the derived key of the hashes. */
const keyUse = "edge_auth.sign_in"

const attempts = (limits: Limits) => ({
  table: "edge_auth.login_attempts",
  key: "ip",
  at: "attempted_at",
  limit: checkedWithin(limits.max),
  unit: "failed attempts"
})

/** Limit of the failed attempts from one client address. */
const ofAddress = (limits: Limits): StoredLog.LogPolicy => ({
  ...attempts(limits),
  name: "edge_auth.login",
  only: (sql) => sql`not ip ~ '^(account|register|sign-in) '`,
  window: Duration.seconds(limits.window)
})

/** Limit of the failed attempts at one account, from all addresses together or from a known address. */
const ofAccount = (limits: Limits): StoredLog.LogPolicy => ({
  ...attempts(limits),
  name: "edge_auth.sign_in",
  only: (sql) => sql`starts_with(ip, 'sign-in ')`,
  window: Duration.seconds(limits.window)
})

/** Limit of the wrong second-factor codes for one account, from all addresses together or from a known address. */
const ofCodes = (limits: Limits): StoredLog.LogPolicy => ({
  ...attempts(limits),
  name: "edge_auth.code",
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

/** An attempt to be counted. */
export interface Attempt {
  /** The client's address. */
  readonly address: string
  /** Normalised; an invalid address as typed. */
  readonly email: string
  /** Id of the user when a code is tried. */
  readonly codeOf?: number
}

/** A counted attempt. Its fields are internal to this file. */
export interface Reservation {
  readonly rows: ReadonlyArray<string>
  /** Key of the account's count. */
  readonly account: string
  /** Key of the account and the address. */
  readonly pair: string
}

const isKnown = (sql: SqlClient.SqlClient) =>
  sql`last_success_at > now() - make_interval(secs => ${Duration.toSeconds(knownFor)})`

/** Counts an attempt. Fails when one of its counts is full; then it counts nowhere. Call outside transactions. */
export const reserve = Effect.fnUntraced(function* ({ address, codeOf, email }: Attempt, limits: Limits) {
  // Checks all keys, so that a known address stays known during a key rotation.
  const keys = (yield* (yield* Secrets).derive(keyUse)).map((secret) => keysOf(secret, email, address))
  const { account, pair } = keys[0]!
  return yield* transaction(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const known = yield* sql`select 1 from edge_auth.known_address
        where key in ${sql.in(keys.map((each) => each.pair))} and ${isKnown(sql)}`
      const own = known.length > 0
      const counts: ReadonlyArray<readonly [StoredLog.LogPolicy, string]> = [
        [ofAccount(limits), `sign-in ${own ? pair : account}`],
        [ofAddress(limits), clientKey(address)],
        ...(codeOf === undefined
          ? []
          : [[ofCodes(limits), own ? `account ${codeOf} ${pair}` : `account ${codeOf}`] as const])
      ]
      for (const [policy, key] of counts) yield* StoredLog.lock(policy, [key])
      const waits = yield* Effect.forEach(counts, ([policy, key]) => StoredLog.wait(policy, [key]))
      const retryAfter = Math.max(...waits)
      if (retryAfter > 0) return yield* new TooMany({ retryAfter })
      const rows = yield* sql<{ id: string }>`insert into edge_auth.login_attempts (ip)
        select key from unnest(${counts.map(([, key]) => key)}::text[]) as key returning id::text as id`
      return { rows: rows.map(({ id }) => id), account: counts[0]![1], pair } satisfies Reservation
    })
  )
})

/** Removes an attempt that succeeded in part, or could not be checked. */
export const takeBack = Effect.fnUntraced(function* ({ rows }: Reservation) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`delete from edge_auth.login_attempts where id = any(${rows}::bigint[])`
})

/** The user signed in: removes the attempt and the failures of the account's count, and remembers the address. */
export const succeeded = Effect.fnUntraced(function* ({ account, pair, rows }: Reservation) {
  const sql = yield* SqlClient.SqlClient
  // Ordered, so that two sign-ins of one account cannot deadlock.
  yield* sql`delete from edge_auth.login_attempts where id in (select id from edge_auth.login_attempts
    where id = any(${rows}::bigint[]) or ip = ${account} order by id for update)`
  yield* sql`insert into edge_auth.known_address (key, last_success_at) values (${pair}, now())
    on conflict (key) do update set last_success_at = now()`
})

/** Deletes attempts older than their window, and addresses that are no longer known; returns how many attempts. */
export const prune = (limits: Limits) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`delete from edge_auth.known_address where not ${isKnown(sql)}`
    return yield* StoredLog.prune(ofAddress(limits), ofAccount(limits), ofCodes(limits), ofRegistration)
  })
