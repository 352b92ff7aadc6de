import { PgClient, PgConnection } from "@effect/sql-pg"
import { expect, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { Database } from "#core/sql/Database.ts"
import { toSqlPg } from "#core/postgres/ConnectionTarget.ts"
import * as Projection from "#core/lane/Projection.ts"
import { admitPostgres } from "#core/sql/IoGuard.ts"
import * as Door from "#support/Door.ts"
import { holdsAfter, inFrame, until } from "#support/Frame.ts"
import { freshDatabase } from "#support/Postgres.ts"
import { within } from "#support/Within.ts"

/** A projection of `public.thing`, and the number of its comparisons. */
const things = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create table public.thing (id int primary key, name text not null)`
  yield* sql`select core.track('public.thing')`
  const held = new Map<number, string>()
  let compared = 0
  const projection = yield* Projection.make({
    name: "things",
    topic: "things",
    sources: {
      things: {
        changed: (since) => sql`select id, name from public.thing where ${Projection.after(sql, since)}`,
        apply: (rows: ReadonlyArray<{ readonly id: number; readonly name: string }>) => {
          compared++
          for (const { id, name } of rows) held.set(id, name)
        }
      }
    }
  })
  return { sql, held, projection, compared: () => compared }
})

it.live("sees every change within a second without announcements", () =>
  inFrame(
    Effect.gen(function* () {
      const { held, projection, sql } = yield* things
      yield* sql`insert into public.thing values (1, 'one')`
      yield* projection.ensureWhenBusy
      expect(held).toEqual(new Map([[1, "one"]]))
      for (const name of ["two", "three"]) {
        yield* sql`update public.thing set name = ${name}`
        yield* holdsAfter(
          1_000,
          "it is seen",
          Effect.map(projection.ensureWhenBusy, () => held.get(1) === name)
        )
      }
    })
  )
)

it.live("reads more rows than one message of Postgres may hold", () =>
  inFrame(
    Effect.gen(function* () {
      const { target } = yield* Database
      const client = yield* Layer.build(PgClient.layer({ ...toSqlPg(target), maxMessageSize: 4 * 1024 * 1024 }))
      const { held, projection, sql } = yield* Effect.provide(things, client)
      // 6 MiB in all.
      yield* sql`insert into public.thing select n, repeat('x', 2048) from generate_series(1, 3000) n`
      yield* projection.ensureWhenBusy
      expect(held.size).toBe(3_000)
    })
  )
)

it.live("a fresh projection needs no comparison, and waiting callers share one", () =>
  inFrame(
    Effect.gen(function* () {
      const { compared, projection } = yield* things
      const begun = performance.now()
      for (let turn = 0; turn < 2; turn++) {
        yield* Effect.all(
          Array.from({ length: 50 }, () => projection.ensureWhenBusy),
          { concurrency: "unbounded" }
        )
        expect(compared()).toBeGreaterThanOrEqual(1)
        // A projection older than 300 ms is compared again, and on a busy machine the loop may take longer than that.
        expect(compared()).toBeLessThanOrEqual(1 + (performance.now() - begun) / 300)
      }
    })
  )
)

it.live("a refresh shows the caller's own change, also during another comparison", () =>
  inFrame(
    Effect.gen(function* () {
      const { held, projection, sql } = yield* things
      for (let n = 0; n < 30; n++) {
        void projection.refreshPromise()
        yield* sql`insert into public.thing values (${n}, 'new')`
        yield* Projection.untilCompared(projection)
        expect(held.has(n)).toBe(true)
      }
    })
  )
)

/** Whether another session is at a statement with `pg_sleep`. */
const sleeping = (sql: SqlClient.SqlClient) =>
  Effect.map(
    sql`select from pg_stat_activity where datname = current_database() and state = 'active'
      and query like '%pg_sleep(%' and pid <> pg_backend_pid()`,
    ({ length }) => length > 0
  )

it.live("an answer that arrived while the process stood still counts", () =>
  inFrame(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const projection = yield* Projection.make({
        name: "slow",
        topic: "slow",
        sources: { slow: { changed: () => sql`select 1 as one from pg_sleep(0.3)`, apply: () => {} } }
      })
      const answer = projection.refreshPromise()
      yield* until("the comparison is under way", sleeping(sql))
      const begun = performance.now()
      while (performance.now() - begun < 1_000);
      expect(yield* Effect.promise(() => answer)).toBe(true)
    })
  )
)

it.live("a reader who joins a long comparison also sees what was committed meanwhile", () =>
  inFrame(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`create table public.thing (id int primary key)`
      yield* sql`select core.track('public.thing')`
      let held = 0
      const projection = yield* Projection.make({
        name: "things",
        topic: "things",
        longest: 15_000,
        sources: {
          slow: {
            changed: (since) => (since === undefined ? sql`select 1 as one from pg_sleep(2)` : sql`select 1 as one`),
            apply: () => {}
          },
          things: {
            changed: (since) => sql`select id from public.thing where ${Projection.after(sql, since)}`,
            apply: (rows) => {
              held += rows.length
            }
          }
        }
      })
      void projection.ensurePromise()
      yield* until("the comparison is under way", sleeping(sql))
      yield* sql`insert into public.thing values (1)`
      expect(yield* Effect.promise(() => projection.ensurePromise())).toBe(true)
      expect(held).toBe(1)
    })
  )
)

it.live("a slower transaction is not skipped", () =>
  inFrame(
    Effect.gen(function* () {
      const { held, projection, sql } = yield* things
      const slow = yield* PgConnection.make(toSqlPg((yield* Database).target))
      yield* slow.query("begin")
      yield* slow.query("insert into public.thing values (1, 'slow')")
      yield* sql`insert into public.thing values (2, 'quick')`
      yield* Projection.untilCompared(projection)
      expect([...held.keys()]).toEqual([2])
      yield* slow.query("commit")
      yield* Projection.untilCompared(projection)
      expect(held.get(1)).toBe("slow")
    })
  )
)

it.live("an announcement triggers a comparison earlier", () =>
  inFrame(
    Effect.gen(function* () {
      const { held, projection, sql } = yield* things
      yield* projection.ensureWhenBusy
      // Several rounds, because the periodic comparison may come before the notification.
      const waits: Array<number> = []
      for (let n = 0; n < 5; n++) {
        yield* sql`with made as (insert into public.thing values (${n}, 'told')) select pg_notify('signalbox', 'things')`
        const begun = performance.now()
        yield* until(
          "it is seen",
          Effect.sync(() => held.has(n))
        )
        waits.push(performance.now() - begun)
      }
      expect(Math.min(...waits)).toBeLessThan(250)
    })
  )
)

it.live("many announcements cause few comparisons, and none without callers", () =>
  inFrame(
    Effect.gen(function* () {
      const { compared, projection, sql } = yield* things
      const storm = Effect.forEach(Array.from({ length: 200 }), () => sql`select pg_notify('signalbox', 'things')`, {
        discard: true
      })
      yield* storm
      expect(compared()).toBe(0)
      yield* projection.ensureWhenBusy
      const begun = performance.now()
      yield* storm
      expect(compared()).toBeLessThanOrEqual(2 + (performance.now() - begun) / 25)
    })
  )
)

it.live("an outage of Postgres is reported within a second", () =>
  inFrame(
    Effect.gen(function* () {
      const { projection, sql } = yield* things
      yield* projection.ensureWhenBusy
      const scope = yield* Scope.make()
      const lock = yield* Scope.provide(PgConnection.make(toSqlPg((yield* Database).target)), scope)
      yield* lock.query("begin")
      yield* lock.query("lock table public.thing")
      yield* until(
        "it is too old",
        Effect.sync(() => !projection.fresh())
      )
      const failure = yield* within(1, "it is reported", Effect.flip(projection.ensure))
      expect(failure).toMatchObject({ _tag: "NotFresh", projection: "things" })
      expect(yield* Effect.promise(projection.ensurePromise)).toBe(false)
      // A request that can wait is answered when Postgres is no longer busy.
      const waiting = yield* Effect.forkChild(projection.ensureWhenBusy)
      yield* Effect.sleep(1_200)
      yield* lock.query("rollback")
      yield* Fiber.join(waiting)
      yield* until("it answers again", Effect.sync(projection.fresh))
      expect(yield* sql`select 1 as one`).toEqual([{ one: 1 }])
    })
  )
)

it.live(
  "a hanging Postgres is reported within a second, and answers return automatically",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { target } = yield* freshDatabase
        const door = yield* Door.make({ path: `${target.host}/.s.PGSQL.${target.port}` })
        admitPostgres("127.0.0.1", door.port)
        yield* inFrame(
          Effect.gen(function* () {
            const { held, projection, sql } = yield* things
            yield* sql`insert into public.thing values (1, 'one')`
            yield* Projection.untilCompared(projection)
            yield* door.set("mute")
            yield* until(
              "it is too old",
              Effect.sync(() => !projection.fresh())
            )
            for (let round = 0; round < 4; round++) {
              expect(yield* within(1.2, "it is reported", Effect.promise(projection.ensurePromise))).toBe(false)
            }
            yield* door.set("open")
            yield* until("it answers again", Effect.promise(projection.ensurePromise), 15)
            expect(held.get(1)).toBe("one")
          }),
          { target: { ...target, host: "127.0.0.1", port: door.port } }
        )
      })
    ),
  120_000
)

it.live("a change that takes longer to read than callers wait still arrives", () =>
  inFrame(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`create table public.thing (id int primary key, name text not null)`
      yield* sql`select core.track('public.thing')`
      const held = new Set<string>()
      let slow = 0
      const projection = yield* Projection.make({
        name: "things",
        topic: "things",
        longest: 10_000,
        sources: {
          things: {
            changed: (since) =>
              sql`select name, pg_sleep(${slow}) from public.thing where ${Projection.after(sql, since)}`,
            apply: (rows: ReadonlyArray<{ readonly name: string }>) => {
              if (rows.length > 0) slow = 0
              for (const { name } of rows) held.add(name)
            }
          }
        }
      })
      yield* Projection.untilCompared(projection)
      slow = 2
      yield* sql`insert into public.thing values (1, 'one')`
      expect((yield* within(1.2, "the caller has its answer", Effect.flip(projection.refresh)))._tag).toBe("NotFresh")
      yield* until(
        "it has arrived",
        Effect.map(Effect.promise(projection.ensurePromise), (fresh) => fresh && held.has("one")),
        8
      )
    })
  )
)
