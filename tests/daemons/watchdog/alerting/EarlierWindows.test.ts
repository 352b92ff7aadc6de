/** Maintenance that an earlier status page announced without events reaches the watchdog after an upgrade. */
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { withClient } from "#core/postgres/Bootstrap.ts"
import { statusChecker } from "#daemons/status-checker/Daemon.ts"
import { until } from "#support/Frame.ts"
import { migratedDatabase } from "#support/Postgres.ts"
import { startSuite } from "#support/TestSuite.ts"
import { servicesFile } from "../../status-checker/Operation.ts"
import { alertingDaemon } from "./Watch.ts"

it.live(
  "windows that are not over get their event once",
  () =>
    Effect.gen(function* () {
      const daemons = [alertingDaemon(), statusChecker]
      const database = yield* migratedDatabase(daemons.map(({ migrations }) => migrations))
      yield* withClient(database.superuser, (sql) =>
        Effect.gen(function* () {
          const plan = (id: string, starts: string, ends: string, cancelled: boolean) =>
            sql`insert into status_checker.maintenance (id, title, title_en, message, message_en, components, starts_at,
              ends_at, created_at, updated_at, cancelled_at)
            values (${id}, 'Umbau', 'Works', '', '', '{webmail,dns}', now() + ${starts}::interval,
              now() + ${ends}::interval, now(), now(), ${cancelled ? new Date() : null})`
          yield* plan("over", "-2 hours", "-1 hour", false)
          yield* plan("cancelled", "1 hour", "2 hours", true)
          yield* plan("active", "-1 hour", "1 hour", false)
          yield* plan("known", "3 hours", "4 hours", false)
          yield* sql`insert into core.event (type, source, tenant_id, data) values ('status.maintenance.changed',
          'status-checker', 1, '{"maintenance_id":"known","title":"Umbau","title_en":"Works","components":["dns"],
          "state":"announced","starts_at":"2031-01-01T00:00:00.000Z","ends_at":"2031-01-01T01:00:00.000Z"}')`
          // As before the upgrade.
          yield* sql`drop table status_checker.component, status_checker.response_time`
          yield* sql`delete from status_checker.migration where id >= 3`
        })
      )
      const files = yield* servicesFile
      const { sql } = yield* startSuite({ daemons, database, env: files.env })
      yield* until(
        "both windows are known",
        Effect.map(sql`select id from watchdog.maintenance`, ({ length }) => length === 2),
        40
      )
      const [active, ...others] = yield* sql`select m.id, m.components,
      m.starts_at = date_trunc('milliseconds', s.starts_at) as same
      from watchdog.maintenance m join status_checker.maintenance s using (id) order by id`
      expect(active).toMatchObject({ id: "active", components: ["webmail", "dns"], same: true })
      expect(others).toMatchObject([{ id: "known", components: ["dns"] }])
      const events = yield* sql`select data->>'maintenance_id' as id, tenant_id from core.event
      where type = 'status.maintenance.changed' order by 1`
      expect(events).toEqual([
        { id: "active", tenant_id: 1 },
        { id: "known", tenant_id: 1 }
      ])
    }),
  120_000
)
