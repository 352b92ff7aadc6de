/**
 * Limits the guessing of passwords and codes: counts attempts per account and per client address, in Postgres, so that
 * all processes share the counts. An attempt is counted before it is checked, so that concurrent requests cannot exceed
 * the limit, and is given back when it succeeds. Accounts that do not exist are counted too.
 *
 * A stranger's guesses must not lock out the owner: an address from which the account signed in recently has its own
 * count for this account instead of the account's common count.
 */
import { Context, Duration, Effect, Layer, Schema } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { type SecretError, Secrets } from "#core/config/Secrets.ts"
import { atomically, transaction } from "#core/sql/Sql.ts"
import { type Count, decide, type ThrottleLimits } from "./ThrottleDecision.ts"
import { keysOf } from "./ThrottleKeys.ts"

/** How long an address is remembered after a sign-in. Reason: covers a holiday. */
export const knownFor = Duration.days(30)

/** Purpose of the derived key of the hashes. */
const keyUse = "identity.throttle"

/** Too many attempts; `retryAfter`: whole seconds until the next may succeed. */
export class Throttled extends Schema.TaggedError<Throttled>()("Throttled", { retryAfter: Schema.Int }) {}

/** A counted attempt. Its fields are internal to Throttle.ts. */
export interface Reservation {
  readonly account: Held
  readonly address: Held
  readonly pair: string
}

interface Held {
  readonly key: string
  /** Start of the window in which it was counted; text, because that keeps microseconds. */
  readonly since: string
}

export class Throttle extends Context.Service<
  Throttle,
  {
    /**
     * Counts an attempt. Call it before checking the password, outside transactions. A refused attempt is not counted.
     * `email`: normalised; an invalid address as typed. `address`: the client's.
     */
    readonly reserve: (
      email: string,
      address: string
    ) => Effect.Effect<Reservation, Throttled | SqlError.SqlError | SecretError>
    /**
     * The attempt succeeded with all its factors: resets the account's or pair's count, gives back the address's count,
     * and remembers the address.
     */
    readonly succeeded: (reservation: Reservation) => Effect.Effect<void, SqlError.SqlError>
    /** The attempt had no verdict (server busy, or a second factor is required): gives back its counts. */
    readonly release: (reservation: Reservation) => Effect.Effect<void, SqlError.SqlError>
    /** Deletes expired counts and known addresses; returns the number of rows. */
    readonly sweep: Effect.Effect<number, SqlError.SqlError>
  }
>()("signalbox/identity/Throttle") {}

export const layer = (limits: ThrottleLimits): Layer.Layer<Throttle, never, SqlClient.SqlClient | Secrets> =>
  Layer.effect(Throttle, make(limits))

const make = Effect.fnUntraced(function* (limits: ThrottleLimits) {
  const sql = yield* SqlClient.SqlClient
  const secrets = yield* Secrets
  /** Seconds until the window of a row named `t` ends. */
  const secondsLeft = sql`extract(epoch from t.window_started + make_interval(secs => ${limits.window}) - now())::float8`
  const stale = sql`last_success_at <= now() - make_interval(secs => ${Duration.toSeconds(knownFor)})`

  /** Refuses without writing, so that a flood of attempts causes no writes. */
  const look = Effect.fnUntraced(function* (account: string, address: string) {
    const rows = yield* sql<Row>`select key, failures as tries, ${secondsLeft} as "secondsLeft"
      from identity.throttle t where key in ${sql.in([account, address])}`
    yield* orThrottled(
      rows.find((row) => row.key === account),
      rows.find((row) => row.key === address)
    )
  })

  /** Counts the attempt. Locks the account's row before the address's row; the fixed order prevents deadlocks. */
  const count = Effect.fnUntraced(function* (account: string, address: string) {
    const rows = yield* sql<Row & Held>`insert into identity.throttle as t (key, failures, window_started)
      values (${account}, 1, now()), (${address}, 1, now())
      on conflict (key) do update set
        failures = case when ${secondsLeft} <= 0 then 1 else t.failures + 1 end,
        window_started = case when ${secondsLeft} <= 0 then now() else t.window_started end
      returning key, failures - 1 as tries, ${secondsLeft} as "secondsLeft", window_started::text as since`
    const of = (key: string) => rows.find((row) => row.key === key)!
    yield* orThrottled(of(account), of(address))
    return { account: { key: account, since: of(account).since }, address: { key: address, since: of(address).since } }
  })

  const orThrottled = (account: Count | undefined, address: Count | undefined) => {
    const decision = decide(account, address, limits)
    return decision._tag === "Admitted" ? Effect.void : Effect.fail(new Throttled({ retryAfter: decision.retryAfter }))
  }

  /** Gives an attempt back, if its window is still the current one. */
  const giveBack = ({ key, since }: Held) =>
    sql`update identity.throttle set failures = failures - 1 where key = ${key} and window_started = ${since}::timestamptz and failures > 0`

  const inTransaction = <A, E>(effect: Effect.Effect<A, E>) =>
    Effect.provideService(transaction(effect), SqlClient.SqlClient, sql)
  const together = <A, E>(effect: Effect.Effect<A, E>) =>
    Effect.provideService(atomically(effect), SqlClient.SqlClient, sql)

  return Throttle.of({
    reserve: Effect.fnUntraced(function* (email, address) {
      // Checks all keys, so that a known address stays known during a key rotation.
      const keys = (yield* secrets.derive(keyUse)).map((secret) => keysOf(secret, email, address))
      const { account, address: client, pair } = keys[0]!
      const known = yield* sql`select 1 from identity.known_address
        where key in ${sql.in(keys.map((each) => each.pair))} and not (${stale})`
      const counted = known.length > 0 ? pair : account
      yield* look(counted, client)
      return { ...(yield* inTransaction(count(counted, client))), pair }
    }),
    succeeded: ({ account, address, pair }) =>
      together(
        Effect.gen(function* () {
          yield* sql`delete from identity.throttle where key = ${account.key}`
          yield* giveBack(address)
          yield* sql`insert into identity.known_address (key, last_success_at) values (${pair}, now())
          on conflict (key) do update set last_success_at = now()`
        })
      ),
    release: ({ account, address }) => together(Effect.asVoid(Effect.andThen(giveBack(account), giveBack(address)))),
    // Skips locked rows, because waiting for them in arbitrary order could cause a deadlock.
    sweep: Effect.gen(function* () {
      const counts = yield* sql`delete from identity.throttle where key in
        (select key from identity.throttle t where ${secondsLeft} <= 0 for update skip locked) returning 1`
      const addresses = yield* sql`delete from identity.known_address where key in
        (select key from identity.known_address where ${stale} for update skip locked) returning 1`
      return counts.length + addresses.length
    })
  })
})

interface Row extends Count {
  readonly key: string
}
