/**
 * Measures the time until every process serves a changed text of a large catalogue, and the time of rendering one
 * bundle.
 */
import { Effect } from "effect"
import { withClient } from "#core/postgres/Bootstrap.ts"
import type { FreshDatabase } from "#support/Postgres.ts"

/** Number of measured changes. */
const turns = 10

/** Interval at which the bundle of each process is read until it has the changed text. Unit: milliseconds. */
const lookEvery = 10

/** Fills the database with English texts and a German translation of each. */
export const fill = (database: FreshDatabase, count: number): Promise<void> =>
  Effect.runPromise(
    withClient(database.superuser, (sql) =>
      Effect.gen(function* () {
        yield* sql`insert into localization.source_text (key, override)
          select 'bench.page' || n % 100 || '.text' || n, 'The text number ' || n || ' of the page, with {name}'
          from generate_series(1, ${count}::int) n on conflict do nothing`
        yield* sql`insert into localization.translation (locale, key, override, override_hash)
          select 'de', key, 'Deutsch: ' || value, source_hash from localization.source_text on conflict do nothing`
        yield* sql`select pg_notify('signalbox', 'localization texts')`
      })
    )
  )

const bundle = async (port: number): Promise<string> =>
  (await fetch(`http://127.0.0.1:${port}/api/v1/i18n/bundles/de`, { headers: { "accept-encoding": "gzip" } })).text()

/**
 * For each change: time from its answer until the last process serves a bundle with the changed text. Unit:
 * milliseconds.
 */
export const visibleAfter = async (ports: ReadonlyArray<number>, token: string): Promise<ReadonlyArray<number>> => {
  const found: Array<number> = []
  await Promise.all(ports.map(bundle))
  for (let turn = 0; turn < turns; turn++) {
    const value = `Geändert ${turn} {name}`
    const answer = await fetch(`http://127.0.0.1:${ports[0]!}/api/v1/i18n/admin/translations/de/bench.page7.text7`, {
      method: "PUT",
      headers: { "content-type": "application/json", "x-service-token": token },
      body: JSON.stringify({ value })
    })
    if (answer.status !== 200) throw new Error(`the change is answered ${answer.status} ${await answer.text()}`)
    const written = performance.now()
    await Promise.all(
      ports.map(async (port) => {
        while (!(await bundle(port)).includes(value)) await new Promise((resolve) => setTimeout(resolve, lookEvery))
      })
    )
    found.push(performance.now() - written)
  }
  return found
}
