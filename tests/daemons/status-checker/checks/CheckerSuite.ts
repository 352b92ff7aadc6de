/** A status-checker that checks every second, and what it has found out: by its public answers, and in its tables. */
import { Effect } from "effect"
import { renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { statusChecker } from "#daemons/status-checker/Daemon.ts"
import { sum, type Share } from "#daemons/status-checker/checks/Days.ts"
import { untilWithin } from "#support/Within.ts"
import { type FreshDatabase, temporaryDirectory } from "#support/Postgres.ts"
import { startSuite } from "#support/TestSuite.ts"

export interface DeclaredIds {
  readonly id: string
  readonly container?: string
  readonly checks?: ReadonlyArray<object>
}

/** A SERVICES_FILE; `write` replaces it as an editor does. */
export const services = Effect.gen(function* () {
  const file = join(yield* temporaryDirectory(), "services.json")
  return {
    file,
    write: (components: ReadonlyArray<DeclaredIds>) => {
      writeFileSync(
        `${file}.new`,
        JSON.stringify(components.map((component) => ({ name: component.id, name_en: component.id, ...component })))
      )
      renameSync(`${file}.new`, file)
    }
  }
})

/** Path of a SERVICES_FILE that cannot be read. */
export const brokenServices = Effect.map(temporaryDirectory(), (folder) => {
  const file = join(folder, "services.json")
  writeFileSync(file, "[{")
  return file
})

/**
 * How long a change may take to be seen. Unit: seconds. Reason: two rounds in a row, on a machine that does much else.
 */
const patience = 40

export const startChecker = Effect.fnUntraced(function* (
  components: ReadonlyArray<DeclaredIds>,
  options: { readonly env?: Readonly<Record<string, string>>; readonly database?: FreshDatabase } = {}
) {
  const file = yield* services
  file.write(components)
  const suite = yield* startSuite({
    daemons: [statusChecker],
    env: {
      SERVICES_FILE: file.file,
      CHECK_INTERVAL: "1",
      SIGNALBOX_CONTAINER_SOCKET: "/nonexistent/engine.sock",
      SIGNALBOX_STATUS_SUCCESSES: "1",
      ...options.env
    },
    ...(options.database === undefined ? {} : { database: options.database })
  })
  const { call, sql } = suite
  const states = Effect.map(
    sql<{
      id: string
      status: string
      since: Date
      checked_at: Date
    }>`select component_id as id, status, since, checked_at from status_checker.component_state order by component_id`,
    (rows) => new Map(rows.map((row) => [row.id, row]))
  )
  /** A database that is not back yet has nothing. */
  const stored = (is: (rows: Effect.Success<typeof states>) => boolean) =>
    Effect.orElseSucceed(Effect.map(states, is), () => false)
  const answered = Effect.map(
    call("GET", "/api/v1/components"),
    ({ json }) =>
      new Map(
        (json?.components ?? []).map(
          (component: { readonly id: string; readonly status: string; readonly checked_at: string | null }) => [
            component.id,
            component
          ]
        )
      ) as ReadonlyMap<string, { readonly status: string; readonly checked_at: string | null }>
  )
  return {
    ...suite,
    file,
    states,
    /** Until everybody is told so. */
    shows: (id: string, status: string) =>
      untilWithin(
        patience,
        `${id} is shown as ${status}`,
        Effect.map(answered, (components) => components.get(id)?.status === status)
      ),
    /** Until it is in the table. */
    stores: (id: string, status: string | undefined) =>
      untilWithin(
        patience,
        `${id} is stored as ${status}`,
        stored((rows) => rows.get(id)?.status === status)
      ),
    /** Until it was checked at least once after this. */
    checkedAgain: (id: string) =>
      Effect.suspend(() => {
        const from = Date.now()
        return untilWithin(
          patience,
          `${id} is checked`,
          stored((rows) => +(rows.get(id)?.checked_at ?? 0) > from)
        )
      }),
    /** Measured time of a component. Unit: milliseconds. */
    measured: (id: string) =>
      Effect.map(
        sql<Share>`select operational::float8, degraded_performance::float8, partial_outage::float8, major_outage::float8, under_maintenance::float8
        from status_checker.component_day where component_id = ${id}`,
        (rows) => rows.reduce((total, row) => total + sum(row), 0)
      ),
    health: Effect.map(
      call("GET", "/health"),
      ({ json }) => json?.components?.checks as Readonly<Record<string, unknown>>
    )
  }
})
