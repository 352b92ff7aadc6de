/** The checks of Postgres before a real server: each fires once, is quiet while nothing changes, and recovers once. */
import { it } from "@effect/vitest"
import { PgConnection } from "@effect/sql-pg"
import { Effect, Exit, Scope } from "effect"
import { appendFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { beforeAll, expect } from "vitest"
import { withClient } from "#core/postgres/Bootstrap.ts"
import { toSqlPg } from "#core/postgres/ConnectionTarget.ts"
import { start } from "#core/postgres/EmbeddedPostgres.ts"
import { until } from "#support/Frame.ts"
import { ensurePeers } from "#support/peers/install.ts"
import * as ServerProcess from "#support/peers/ServerProcess.ts"
import { freshDatabaseOn, temporaryDirectory } from "#support/Postgres.ts"
import { startMonitoring } from "./MonitoringSuite.ts"

beforeAll(() => ensurePeers(["postgres"]), 600_000)

/** Limit of the server's connections. Reason: the suite takes about ten, so 18 more are above 50 %. */
const maxConnections = 40

const keys = {
  connections: "postgres connections",
  transaction: "postgres oldest transaction",
  dead: "postgres dead rows",
  replication: "postgres replication"
} as const
const all = Object.values(keys)

/** Age from which a transaction is too old. Unit: seconds. Reason: those of the suite end sooner, on busy cores too. */
const oldAge = 5

it.live(
  "connections, an old transaction, dead rows and a slot without reader",
  () =>
    Effect.gen(function* () {
      // Version 15, whose pg_receivewal is installed.
      const server = yield* start({ dataDir: yield* temporaryDirectory(), fsync: false, maxConnections, major: 15 })
      const { socketDir } = server
      const database = yield* freshDatabaseOn(socketDir)
      const asSuperuser = (statement: string) =>
        withClient(database.superuser, (sql) => sql.unsafe(statement).unprepared)
      appendFileSync(join(dirname(socketDir), "pg_hba.conf"), "local replication postgres peer map=signalbox\n")
      yield* asSuperuser("select pg_reload_conf()")
      const place = yield* startMonitoring({
        only: ["connections", "transaction", "dead_rows", "replication"],
        database
      })
      for (const key of [keys.connections, keys.transaction, keys.dead]) yield* place.shows(key, "ok")
      const adjust = Effect.fnUntraced(function* (key: string, values: object) {
        const { id } = yield* place.check(key)
        expect((yield* place.send("PUT", `/${id}`, values)).status).toBe(200)
      })
      yield* adjust(keys.connections, { warning: 50 })
      yield* adjust(keys.transaction, { warning: oldAge })
      yield* place.runs(keys.transaction, 2)
      expect(place.alerts.told).toEqual([])

      const trouble = yield* Scope.make()
      const session = Scope.provide(
        PgConnection.make({ ...toSqlPg(database.target), applicationName: "held" }),
        trouble
      )
      const [old] = yield* Effect.all(Array.from({ length: 18 }, () => session))
      yield* old!.query("begin")
      yield* old!.query("select 1 from pg_class limit 1")
      yield* asSuperuser("create table public.rows (n int) with (autovacuum_enabled = off)")
      yield* asSuperuser("insert into public.rows select generate_series(1, 150000)")
      yield* asSuperuser("delete from public.rows where n <= 120000")
      yield* asSuperuser("select slot_name from pg_create_physical_replication_slot('standby', true)")
      for (const key of all) yield* place.hears(key, "opened")
      expect((yield* place.check(keys.dead)).result).toMatchObject({
        code: "dead_rows",
        values: { dead: 120_000, table: "public.rows" }
      })
      expect(yield* place.check(keys.replication)).toMatchObject({
        detail: expect.stringMatching(/^1 standbys and slots.*; not connected: standby$/),
        detail_de: expect.stringMatching(/nicht verbunden: standby$/)
      })
      expect((yield* place.check(keys.transaction)).result.values.seconds).toBeGreaterThan(oldAge)
      // Nothing changes, so nothing is told.
      yield* place.runs(keys.replication, 2)
      for (const key of all) yield* place.hears(key, "opened")

      yield* Scope.close(trouble, Exit.void)
      // A server process ends after its connection. While one lives, vacuum keeps the rows that it could see.
      yield* until(
        "the sessions to be over",
        Effect.map(
          withClient(database.superuser, (sql) => sql`select from pg_stat_activity where application_name = 'held'`),
          ({ length }) => length === 0
        )
      )
      yield* asSuperuser("vacuum public.rows")
      const received = yield* temporaryDirectory()
      yield* ServerProcess.make({
        peer: "pg_receivewal",
        command: "/usr/lib/postgresql/15/bin/pg_receivewal",
        args: ["--directory", received, "--slot", "standby", "--host", socketDir, "--username", "postgres"],
        cwd: received,
        isReady: () => Promise.resolve(true),
        log: () => ""
      })
      for (const key of all) yield* place.hears(key, "opened", "closed")
      // The slot may have been without its reader once more since the alert ended.
      yield* until(
        "the slot has its reader",
        Effect.map(place.check(keys.replication), (found) => found.measurements?.not_connected === 0)
      )
      yield* place.shows(keys.replication, "ok")
      yield* place.runs(keys.connections, 2)
      for (const key of all) yield* place.hears(key, "opened", "closed")
    }).pipe(Effect.scoped),
  200_000
)
