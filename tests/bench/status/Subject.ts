/**
 * Subject of the measurement: the shipped status-checker over a fresh database, with the status page of a typical
 * provider.
 */
import { Effect } from "effect"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { withClient } from "#core/postgres/Bootstrap.ts"
import type { FreshDatabase } from "#support/Postgres.ts"
import { type OneDaemon, startDaemon } from "../OneDaemon.ts"

/** `components`: each has ninety days of history. `incidents`: each has three updates. */
const components = 20
const incidents = 10

export const start = async (database: FreshDatabase, dataDir: string): Promise<OneDaemon> => {
  mkdirSync(dataDir, { recursive: true })
  const file = join(dataDir, "services.json")
  writeFileSync(
    file,
    JSON.stringify({
      services: Array.from({ length: components }, (_, n) => ({
        id: `service-${n}`,
        name: `Dienst ${n}`,
        name_en: `Service ${n}`,
        group: `Group ${n % 4}`
      }))
    })
  )
  const daemon = await startDaemon("status-checker", database, dataDir, { SERVICES_FILE: file })
  await seed(database).catch(async (error: unknown) => {
    await daemon.end()
    throw error
  })
  return daemon
}

const seed = (database: FreshDatabase): Promise<void> =>
  Effect.runPromise(
    withClient(database.superuser, (sql) =>
      Effect.gen(function* () {
        yield* sql`insert into status_checker.component_day (component_id, day, operational, major_outage)
        select 'service-' || n, (now() at time zone 'UTC')::date - d, 86000000, 1000 * ((n + d) % 100) from generate_series(0, ${components - 1}::int) n, generate_series(0, 89) d`
        yield* sql`insert into status_checker.incidents (id, title, title_en, status, severity, components, created_at, resolved_at, published_at)
        select 'incident-' || n, 'Störung ' || n, 'Trouble ' || n, case n when 0 then 'identified' else 'resolved' end, 'minor', array['service-' || n], now() - n * interval '1 day',
          case n when 0 then null else now() - n * interval '1 day' + interval '1 hour' end, now() from generate_series(0, ${incidents - 1}::int) n`
        yield* sql`insert into status_checker.incident_updates (incident_id, "timestamp", status, message, message_en)
        select 'incident-' || n, now() - n * interval '1 day' + u * interval '10 minutes', 'identified', 'Wir sind dran, Schritt ' || u, 'We are at it, step ' || u
        from generate_series(0, ${incidents - 1}::int) n, generate_series(0, 2) u`
        yield* sql`select pg_notify('signalbox', 'status-checker')`
      })
    )
  )
