/**
 * Limits the guessing of passwords and codes by the rules of core/limits/SignInAttempts.ts. The counts are in Postgres,
 * so that all processes share them.
 */
import { Context, Duration, Effect, Layer, Schema } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { type SecretError, Secrets } from "#core/config/Secrets.ts"
import { keysOf, knownFor } from "#core/limits/SignInAttempts.ts"
import * as StoredCounter from "#core/limits/StoredCounter.ts"
import { atomically } from "#core/sql/Sql.ts"

/** Number of failed attempts permitted before further ones are refused without a check. */
export interface ThrottleLimits {
  /** Length of a window. Unit: seconds. */
  readonly window: number
  /** Attempts per account within a window. */
  readonly perAccount: number
  /** Attempts per client address within a window. */
  readonly perAddress: number
}

const policy = (limits: ThrottleLimits): StoredCounter.CounterPolicy => ({
  table: "identity.throttle",
  key: "key",
  count: "failures",
  startedAt: "window_started",
  unit: "failed attempts, and attempts without a verdict yet",
  window: Duration.seconds(limits.window)
})

/** Purpose of the derived key of the hashes. */
const keyUse = "identity.throttle"

/** Too many attempts; `retryAfter`: whole seconds until the next may succeed. */
export class Throttled extends Schema.TaggedError<Throttled>()("Throttled", { retryAfter: Schema.Int }) {}

/** A counted attempt. Its fields are internal to Throttle.ts. */
export interface Reservation {
  readonly account: StoredCounter.Held
  readonly address: StoredCounter.Held
  readonly pair: string
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
  const counter = StoredCounter.make(policy(limits))
  const stale = sql`last_success_at <= now() - make_interval(secs => ${Duration.toSeconds(knownFor)})`

  const withSql = <A, E>(effect: Effect.Effect<A, E, SqlClient.SqlClient>) =>
    Effect.provideService(effect, SqlClient.SqlClient, sql)
  const together = <A, E>(effect: Effect.Effect<A, E, SqlClient.SqlClient>) => withSql(atomically(effect))

  return Throttle.of({
    reserve: Effect.fnUntraced(function* (email, address) {
      // Checks all keys, so that a known address stays known during a key rotation.
      const keys = (yield* secrets.derive(keyUse)).map((secret) => keysOf(secret, email, address))
      const { account, address: client, pair } = keys[0]!
      const known = yield* sql`select 1 from identity.known_address
        where key in ${sql.in(keys.map((each) => each.pair))} and not (${stale})`
      const accountKey = known.length > 0 ? pair : account
      // Always the account before the address.
      const [first, second] = yield* withSql(
        counter.reserve([
          { key: accountKey, limit: limits.perAccount },
          { key: client, limit: limits.perAddress }
        ])
      ).pipe(Effect.catchTag("StoredCounterFull", ({ retryAfter }) => new Throttled({ retryAfter })))
      return { account: first!, address: second!, pair }
    }),
    succeeded: ({ account, address, pair }) =>
      together(
        Effect.gen(function* () {
          yield* counter.reset(account.key)
          yield* counter.giveBack(address)
          yield* sql`insert into identity.known_address (key, last_success_at) values (${pair}, now())
          on conflict (key) do update set last_success_at = now()`
        })
      ),
    release: ({ account, address }) => together(Effect.andThen(counter.giveBack(account), counter.giveBack(address))),
    // Skips locked rows, because waiting for them in arbitrary order could cause a deadlock.
    sweep: Effect.gen(function* () {
      const counts = yield* withSql(counter.sweep)
      const addresses = yield* sql`delete from identity.known_address where key in
        (select key from identity.known_address where ${stale} for update skip locked) returning 1`
      return counts + addresses.length
    })
  })
})
