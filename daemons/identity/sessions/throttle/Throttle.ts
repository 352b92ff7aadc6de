/**
 * Bounds the guessing of passwords and codes: counts sign-ins per account and per client address, in Postgres, which
 * all processes share. A try is counted before it is judged, so that a hundred at once are not a hundred guesses, and
 * given back when it turns out good. Accounts that do not exist are counted alike.
 *
 * A stranger's guesses must not lock the owner out: an address from which the account signed in lately has a count of
 * its own for this account, and the account's common count does not hold for it.
 */
import { Context, Duration, Effect, Layer, Schema } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { type SecretError, Secrets } from "#core/config/Secrets.ts"
import { atomically, transaction } from "#core/sql/Sql.ts"
import { type Count, decide, type ThrottleLimits } from "./ThrottleDecision.ts"
import { keysOf } from "./ThrottleKeys.ts"

/** How long an address is known after a sign-in. Reason: who was away on holiday is still at home. */
export const knownFor = Duration.days(30)

/** What the key of the hashes is derived for. */
const keyUse = "identity.throttle"

/** Too many tries; `retryAfter`: whole seconds until one can pass. */
export class Throttled extends Schema.TaggedError<Throttled>()("Throttled", { retryAfter: Schema.Int }) {}

/** A try that is counted. What it holds is Throttle's own. */
export interface Reservation {
  readonly account: Held
  readonly address: Held
  readonly pair: string
}

interface Held {
  readonly key: string
  /** Beginning of the window in which it was counted; as text, which keeps the microseconds. */
  readonly since: string
}

export class Throttle extends Context.Service<
  Throttle,
  {
    /**
     * Counts a try, to be called before the password is looked at and outside transactions. A refused one is not
     * counted. `email`: normalised; what is no address goes in as typed. `address`: the client's.
     */
    readonly reserve: (
      email: string,
      address: string
    ) => Effect.Effect<Reservation, Throttled | SqlError.SqlError | SecretError>
    /**
     * The try was good, with all its factors: forgets the count it was under, gives the address's back, knows the
     * address from now on.
     */
    readonly succeeded: (reservation: Reservation) => Effect.Effect<void, SqlError.SqlError>
    /** The try came to no judgement (we were busy; a second factor is asked for): it counts nowhere. */
    readonly release: (reservation: Reservation) => Effect.Effect<void, SqlError.SqlError>
    /** Removes counts and known addresses past their time; answers how many rows. */
    readonly sweep: Effect.Effect<number, SqlError.SqlError>
  }
>()("signalbox/identity/Throttle") {}

export const layer = (limits: ThrottleLimits): Layer.Layer<Throttle, never, SqlClient.SqlClient | Secrets> =>
  Layer.effect(Throttle, make(limits))

const make = Effect.fnUntraced(function* (limits: ThrottleLimits) {
  const sql = yield* SqlClient.SqlClient
  const secrets = yield* Secrets
  /** Of a row called `t`: until its window ends. */
  const secondsLeft = sql`extract(epoch from t.window_started + make_interval(secs => ${limits.window}) - now())::float8`
  const stale = sql`last_success_at <= now() - make_interval(secs => ${Duration.toSeconds(knownFor)})`

  /** Refuses without writing: a flood must not wear out the table. */
  const look = Effect.fnUntraced(function* (account: string, address: string) {
    const rows = yield* sql<Row>`select key, failures as tries, ${secondsLeft} as "secondsLeft"
      from identity.throttle t where key in ${sql.in([account, address])}`
    yield* orThrottled(
      rows.find((row) => row.key === account),
      rows.find((row) => row.key === address)
    )
  })

  /** Always the account before the address: whoever counts waits in that order, and nobody for each other. */
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

  /** Only in the window in which it was counted: the next one's count is not its. */
  const giveBack = ({ key, since }: Held) =>
    sql`update identity.throttle set failures = failures - 1 where key = ${key} and window_started = ${since}::timestamptz and failures > 0`

  const inTransaction = <A, E>(effect: Effect.Effect<A, E>) =>
    Effect.provideService(transaction(effect), SqlClient.SqlClient, sql)
  const together = <A, E>(effect: Effect.Effect<A, E>) =>
    Effect.provideService(atomically(effect), SqlClient.SqlClient, sql)

  return Throttle.of({
    reserve: Effect.fnUntraced(function* (email, address) {
      // All keys that are held: an address that was known stays so while the key is rotated.
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
    // Rows that somebody counts in at this moment are let stand: waiting for them in any order could be a deadlock.
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
