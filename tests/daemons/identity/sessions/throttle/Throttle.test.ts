import type { PgClient } from "@effect/sql-pg"
import { expect, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { join } from "node:path"
import { coreMigrations } from "#core/sql/CoreSchema.ts"
import { prepare } from "#core/sql/Database.ts"
import * as Migrations from "#core/sql/Migrations.ts"
import * as Secrets from "#core/config/Secrets.ts"
import { users } from "#daemons/identity/users/migrations/0001_users.ts"
import { sessions } from "#daemons/identity/sessions/migrations/0002_sessions.ts"
import * as Throttle from "#daemons/identity/sessions/throttle/Throttle.ts"
import { client } from "#support/Frame.ts"
import { freshDatabase, temporaryDirectory } from "#support/Postgres.ts"

const limits = { window: 300, perAccount: 5, perAddress: 20 }

/** Two throttles that simulate two processes: separate connection pools, one database, one key file. */
const start = Effect.gen(function* () {
  const { target } = yield* freshDatabase
  yield* prepare(target)
  const keyFile = join(yield* temporaryDirectory(), "keys")
  const sql = yield* client(target)
  for (const schema of [coreMigrations, { schema: "identity", steps: [users, sessions] }]) {
    yield* Effect.provideService(Migrations.run(schema), SqlClient.SqlClient, sql)
  }
  const over = (pool: PgClient.PgClient) =>
    Layer.build(
      Throttle.layer(limits).pipe(
        Layer.provide(Layer.succeed(SqlClient.SqlClient, pool)),
        Layer.provide(Secrets.layer(keyFile))
      )
    )
  const [throttle, second] = (yield* Effect.forEach([sql, yield* client(target)], over)).map((context) =>
    Context.get(context, Throttle.Throttle)
  )
  return { sql, keyFile, throttle: throttle!, second: second! }
})

/** `passed`, or the seconds to wait. */
const outcome = <A, E>(reserved: Effect.Effect<A, E | Throttle.Throttled>) =>
  reserved.pipe(
    Effect.as("passed" as const),
    Effect.catchTag("Throttled" as never, (error: Throttle.Throttled) => Effect.succeed(error.retryAfter))
  )

const times = (count: number) => Array.from({ length: count }, (_, at) => at)

it.live(
  "of a hundred concurrent attempts in two processes, exactly the limit passes",
  () =>
    Effect.gen(function* () {
      const { second, sql, throttle } = yield* start
      const outcomes = yield* Effect.forEach(
        times(100),
        (n) => outcome((n % 2 === 0 ? throttle : second).reserve("ann@example.org", `192.0.2.${n}`)),
        { concurrency: "unbounded" }
      )
      expect(outcomes.filter((one) => one === "passed")).toHaveLength(limits.perAccount)
      for (const one of outcomes) if (one !== "passed") expect(one >= 290 && one <= 300).toBe(true)
      const fromOne = yield* Effect.forEach(
        times(100),
        (n) => outcome((n % 2 === 0 ? throttle : second).reserve(`user${n}@example.org`, `2001:db8::${n}`)),
        { concurrency: "unbounded" }
      )
      expect(fromOne.filter((one) => one === "passed")).toHaveLength(limits.perAddress)
      // Refused attempts are not counted.
      expect(
        yield* sql`select sum(failures)::int as all, max(failures) as most, count(*)::int as rows from identity.throttle`
      ).toEqual([
        {
          all: 2 * (limits.perAccount + limits.perAddress),
          most: limits.perAddress,
          rows: 1 + limits.perAccount + limits.perAddress + 1
        }
      ])
    }),
  120_000
)

it.live("the next window starts at zero", () =>
  Effect.gen(function* () {
    const { sql, throttle } = yield* start
    const reserve = throttle.reserve("ann@example.org", "192.0.2.1")
    for (const _ of times(5)) yield* reserve
    yield* sql`update identity.throttle set window_started = window_started - interval '280 seconds'`
    const versions = sql`select key, ctid::text, xmin::text, xmax::text from identity.throttle order by key`
    const before = yield* versions
    const wait = yield* outcome(reserve)
    expect(wait !== "passed" && wait >= 1 && wait <= 20).toBe(true)
    // A flood of refused attempts writes nothing.
    expect(yield* versions).toEqual(before)
    yield* sql`update identity.throttle set window_started = window_started - interval '20 seconds'`
    expect(yield* Effect.forEach(times(6), () => outcome(reserve))).toEqual([
      "passed",
      "passed",
      "passed",
      "passed",
      "passed",
      expect.any(Number)
    ])
  })
)

it.live("a success resets the account's count and gives back one attempt of the address", () =>
  Effect.gen(function* () {
    const { sql, throttle } = yield* start
    const from = "192.0.2.1"
    for (const _ of times(4)) yield* throttle.reserve("ann@example.org", from)
    yield* throttle.reserve("bob@example.org", from)
    yield* throttle.succeeded(yield* throttle.reserve("ann@example.org", from))
    expect(yield* sql`select failures from identity.throttle order by failures`).toEqual([
      { failures: 1 },
      { failures: 5 }
    ])
    // Signing in to an own account does not reset the count of an address.
    for (const n of times(15)) {
      yield* throttle.reserve(`user${n}@example.org`, from)
      if (n < 14) yield* throttle.succeeded(yield* throttle.reserve("ann@example.org", from))
    }
    expect(yield* outcome(throttle.reserve("ann@example.org", from))).toBeGreaterThan(200)
  })
)

it.live("an attempt is given back only within its own window", () =>
  Effect.gen(function* () {
    const { sql, throttle } = yield* start
    const reserve = throttle.reserve("ann@example.org", "192.0.2.1")
    for (const _ of times(30)) yield* throttle.release(yield* reserve)
    expect(yield* sql`select distinct failures from identity.throttle`).toEqual([{ failures: 0 }])
    const old = yield* reserve
    yield* sql`update identity.throttle set window_started = window_started - interval '301 seconds'`
    yield* reserve
    yield* throttle.release(old)
    expect(yield* sql`select distinct failures from identity.throttle`).toEqual([{ failures: 1 }])
    yield* throttle.succeeded(old)
    expect(yield* sql`select failures from identity.throttle`).toEqual([{ failures: 1 }])
  })
)

it.live("attempts of a stranger do not lock out the owner at a known address", () =>
  Effect.gen(function* () {
    const { second, sql, throttle } = yield* start
    const home = "2001:db8:1:2::1"
    yield* throttle.succeeded(yield* throttle.reserve("ann@example.org", home))
    for (const n of times(6)) yield* outcome(throttle.reserve("ann@example.org", `198.51.100.${n}`))
    expect(yield* outcome(throttle.reserve("ann@example.org", "203.0.113.1"))).toBeGreaterThan(0)
    const atHome = yield* second.reserve("ann@example.org", "2001:db8:1:2:ffff::1")
    // A sign-in from the known address does not help the unknown address.
    yield* second.succeeded(atHome)
    expect(yield* outcome(throttle.reserve("ann@example.org", "203.0.113.1"))).toBeGreaterThan(0)
    // The known address has a limit too, and is not known for other accounts.
    expect(
      (yield* Effect.forEach(times(6), () => outcome(throttle.reserve("ann@example.org", home)))).filter(
        (one) => one === "passed"
      )
    ).toHaveLength(5)
    for (const n of times(5)) yield* throttle.reserve("bob@example.org", `198.51.100.${n}`)
    expect(yield* outcome(throttle.reserve("bob@example.org", home))).toBeGreaterThan(0)
    // A month after its last use, an address is unknown again.
    yield* sql`truncate identity.throttle`
    yield* sql`update identity.known_address set last_success_at = now() - interval '29 days'`
    yield* throttle.succeeded(yield* throttle.reserve("ann@example.org", home))
    expect(
      yield* sql`select 1 from identity.known_address where last_success_at > now() - interval '1 day'`
    ).toHaveLength(1)
    yield* sql`update identity.known_address set last_success_at = now() - interval '30 days'`
    for (const n of times(5)) yield* throttle.reserve("ann@example.org", `198.51.100.${n}`)
    expect(yield* outcome(throttle.reserve("ann@example.org", home))).toBeGreaterThan(0)
  })
)

it.live("an address stays known during a key rotation", () =>
  Effect.gen(function* () {
    const { keyFile, throttle } = yield* start
    yield* throttle.succeeded(yield* throttle.reserve("ann@example.org", "192.0.2.1"))
    yield* Secrets.addKey(keyFile)
    for (const n of times(5)) yield* throttle.reserve("ann@example.org", `198.51.100.${n}`)
    expect(yield* outcome(throttle.reserve("ann@example.org", "203.0.113.1"))).toBeGreaterThan(0)
    expect(yield* outcome(throttle.reserve("ann@example.org", "192.0.2.1"))).toBe("passed")
  })
)

it.live("the tables do not reveal accounts or addresses", () =>
  Effect.gen(function* () {
    const { sql, throttle } = yield* start
    yield* throttle.reserve("no address at all \u0000", "unix")
    yield* throttle.succeeded(yield* throttle.reserve("ann@example.org", "192.0.2.1"))
    const keys = yield* sql<{
      key: string
    }>`select key from identity.throttle union all select key from identity.known_address`
    expect(keys.length).toBe(4)
    for (const { key } of keys) expect(key).toMatch(/^[\w-]{43}$/)
  })
)

it.live("the sweep deletes expired counts, keeps current ones, and does not wait for locks", () =>
  Effect.gen(function* () {
    const { second, sql, throttle } = yield* start
    yield* throttle.succeeded(yield* throttle.reserve("old@example.org", "192.0.2.1"))
    yield* throttle.reserve("old@example.org", "192.0.2.2")
    yield* sql`update identity.throttle set window_started = now() - interval '301 seconds'`
    yield* sql`update identity.known_address set last_success_at = now() - interval '31 days'`
    yield* throttle.succeeded(yield* throttle.reserve("ann@example.org", "192.0.2.3"))
    yield* throttle.reserve("bob@example.org", "192.0.2.3")
    const rows = Effect.map(
      sql`select 1 from identity.throttle union all select 1 from identity.known_address`,
      (all) => all.length
    )
    const before = yield* rows
    // A locked row is left for the next sweep.
    const held = yield* sql.withTransaction(
      Effect.andThen(
        sql`select 1 from identity.throttle where window_started < now() - interval '300 seconds' limit 1 for update`,
        second.sweep
      )
    )
    expect(held).toBeGreaterThan(0)
    expect(held + (yield* throttle.sweep)).toBe(before - 3)
    expect(yield* rows).toBe(3)
    expect(yield* throttle.sweep).toBe(0)
  })
)

it.live(
  "concurrent operations cause no deadlock",
  () =>
    Effect.gen(function* () {
      const { second, sql, throttle } = yield* start
      yield* Effect.forEach(
        times(300),
        (n) =>
          Effect.gen(function* () {
            const one = n % 2 === 0 ? throttle : second
            const reservation = yield* one.reserve(`user${n % 3}@example.org`, `192.0.2.${n % 4}`)
            if (n % 5 === 0) yield* one.succeeded(reservation)
            else yield* one.release(reservation)
            if (n % 50 === 0) yield* one.sweep
          }).pipe(Effect.catchTag("Throttled", () => Effect.void)),
        { concurrency: "unbounded" }
      )
      const [left] = yield* sql<{
        failures: number
      }>`select coalesce(sum(failures), 0)::int as failures from identity.throttle`
      expect(left!.failures).toBe(0)
    }),
  120_000
)
