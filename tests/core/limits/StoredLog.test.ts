import { expect, it } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { type LogPolicy, lock, prune, wait } from "#core/limits/StoredLog.ts"
import { coreMigrations } from "#core/sql/CoreSchema.ts"
import { prepare } from "#core/sql/Database.ts"
import * as Migrations from "#core/sql/Migrations.ts"
import { tenantTransaction, transaction } from "#core/sql/Sql.ts"
import { client } from "#support/Frame.ts"
import { freshDatabase } from "#support/Postgres.ts"

const policy: LogPolicy = {
  name: "shop.order",
  table: "shop.order",
  key: "who",
  at: "at",
  limit: 3,
  unit: "orders",
  window: Duration.minutes(10)
}

const items: LogPolicy = { ...policy, amount: "items", limit: 20, unit: "items" }

const paid: LogPolicy = { ...policy, only: (sql) => sql`paid`, window: Duration.hours(1) }

/** One pool for each process. */
const start = Effect.gen(function* () {
  const { target } = yield* freshDatabase
  yield* prepare(target)
  const sql = yield* client(target)
  const steps = [
    {
      id: 1,
      name: "orders",
      statements: [
        `create table shop.order (tenant_id int not null default 1, who text not null, items int not null default 1,
           paid boolean not null default false, at timestamptz not null default now())`,
        `select core.protect('shop.order')`
      ]
    }
  ]
  for (const schema of [coreMigrations, { schema: "shop", steps }]) {
    yield* Effect.provideService(Migrations.run(schema), SqlClient.SqlClient, sql)
  }
  const on = <A, E>(pool: SqlClient.SqlClient, effect: Effect.Effect<A, E, SqlClient.SqlClient>) =>
    Effect.provideService(effect, SqlClient.SqlClient, pool)
  return { sql, second: yield* client(target), on }
})

const take = (keys: ReadonlyArray<string>) =>
  transaction(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* lock(policy, keys)
      const seconds = yield* wait(policy, keys)
      if (seconds === 0) yield* sql`insert into shop.order (who) select unnest(${keys}::text[])`
      return seconds
    })
  )

it.live(
  "of many callers at once, over two processes, exactly the limit passes",
  () =>
    Effect.gen(function* () {
      const { on, second, sql } = yield* start
      const waits = yield* Effect.forEach(
        Array.from({ length: 60 }, (_, n) => n),
        (n) => on(n % 2 === 0 ? sql : second, take([`${n % 5}`])),
        { concurrency: "unbounded" }
      )
      expect(waits.filter((seconds) => seconds === 0).length).toBe(5 * policy.limit)
      for (const seconds of waits) if (seconds > 0) expect(seconds >= 590 && seconds <= 600).toBe(true)
    }),
  120_000
)

it.live(
  "callers with the same keys in another order do not deadlock",
  () =>
    Effect.gen(function* () {
      const { on, second, sql } = yield* start
      const waits = yield* Effect.forEach(
        Array.from({ length: 40 }, (_, n) => n),
        (n) => (n % 2 === 0 ? on(sql, take(["a", "b"])) : on(second, take(["b", "a"]))),
        { concurrency: "unbounded" }
      )
      expect(waits.filter((seconds) => seconds === 0).length).toBe(policy.limit)
    }),
  120_000
)

it.live("an event passes when enough of the window's events have left it", () =>
  Effect.gen(function* () {
    const { on, sql } = yield* start
    const waits = (policy: LogPolicy, key: string, amount?: number) => on(sql, wait(policy, [key], amount))
    // In one transaction, in which now() stands still.
    yield* sql.withTransaction(
      Effect.gen(function* () {
        yield* sql`insert into shop.order (who, items, at) values ('a', 15, now() - interval '9 minutes'),
          ('a', 1, now() - interval '4 minutes'), ('a', 4, now() - interval '1 minute'), ('b', 1, now()),
          ('c', 9, now() - interval '10 minutes')`
        expect([yield* waits(policy, "a"), yield* waits(policy, "b"), yield* waits(policy, "c")]).toEqual([60, 0, 0])
        // All keys must have room.
        expect(yield* on(sql, wait(policy, ["b", "a"]))).toBe(60)
        // 15 + 1 + 4 of 20 are used: 15 more fit when the first has left, 16 when the second has left, 17 after the
        // third.
        expect(yield* Effect.forEach([0, 1, 15, 16, 17, 20, 21], (amount) => waits(items, "a", amount))).toEqual([
          0, 60, 60, 360, 540, 540, 600
        ])
        expect(yield* waits(paid, "a")).toBe(0)
        yield* sql`update shop.order set paid = true where who = 'a'`
        expect(yield* waits(paid, "a")).toBe(51 * 60)
      })
    )
  })
)

it.live("a tenant's events use up nothing of another tenant", () =>
  Effect.gen(function* () {
    const { on, sql } = yield* start
    // Later than now, so that the whole window is left also after some seconds.
    yield* sql`insert into shop.order (tenant_id, who, at)
      select 7, 'a', now() + interval '1 minute' from generate_series(1, 3)`
    const as = (tenant: number) => on(sql, tenantTransaction(tenant, wait(policy, ["a"])))
    expect([yield* as(7), yield* as(8)]).toEqual([600, 0])
  })
)

it.live("a row is deleted when it counts for no policy, and a locked row is left", () =>
  Effect.gen(function* () {
    const { on, second, sql } = yield* start
    yield* sql`insert into shop.order (who, paid, at) values ('young', false, now() - interval '9 minutes'),
      ('old', false, now() - interval '10 minutes'), ('paid', true, now() - interval '59 minutes'),
      ('paid and old', true, now() - interval '60 minutes')`
    const held = yield* sql.withTransaction(
      Effect.andThen(sql`select 1 from shop.order where who = 'old' for update`, on(second, prune(policy, paid)))
    )
    expect(held).toBe(1)
    expect(yield* on(sql, prune(policy, paid))).toBe(1)
    expect((yield* sql<{ who: string }>`select who from shop.order order by who`).map(({ who }) => who)).toEqual([
      "paid",
      "young"
    ])
  })
)
