/** The two files of status-checker in a directory of their own, and waits for what the daemon shows of them. */
import { Context, Duration, Effect, Layer, References, type Scope } from "effect"
import { SqlError } from "effect/sql"
import { join } from "node:path"
import { layerLocal, type Supervisor } from "#core/supervision/Supervisor.ts"
import { Wake } from "#core/events/Wake.ts"
import { layer, StatusFiles } from "#daemons/status-checker/status-files/StatusFiles.ts"
import { run, until } from "#support/Frame.ts"
import { temporaryDirectory } from "#support/Postgres.ts"

/** Interval at which the files are read. Shorter than the default, to keep the tests fast. */
export const every = Duration.millis(200)

const component = (id: string) => ({ id, name: id, name_en: id })
/** Content of SERVICES_FILE with these components. */
export const services = (...ids: ReadonlyArray<string>) => JSON.stringify({ services: ids.map(component) })
/** An entry of INCIDENTS_FILE. */
export const incident = (id: string, components: ReadonlyArray<string> = []) => ({
  id,
  title: id,
  title_en: id,
  status: "investigating",
  severity: "minor",
  components,
  created_at: "2026-01-31T08:00:00Z",
  resolved_at: null,
  updates: []
})

/** A Wake whose database is away while `state.away` is set. Records the announcements. */
const database = () => {
  const state = { away: false, announced: [] as Array<string>, refused: 0 }
  const announce = (name: string) =>
    Effect.suspend(() => {
      if (state.away) {
        state.refused += 1
        return Effect.fail(
          new SqlError.SqlError({ reason: new SqlError.ConnectionError({ cause: new Error("away") }) })
        )
      }
      state.announced.push(name)
      return Effect.void
    })
  const unused = () => {
    throw new Error("unused")
  }
  // The components of the database are not part of these tests.
  const subscribe: Wake["Service"]["subscribe"] = () =>
    Effect.succeed({ wait: (atMost) => Effect.as(Effect.sleep(atMost), false), ring: Effect.void })
  return { state, layer: Layer.succeed(Wake, Wake.of({ announce, subscribe, announcement: unused, actor: unused })) }
}

/** Runs a test with files in a new directory. `begin` starts the actor that reads them. No real database. */
export const watched = <E>(
  test: (parts: {
    readonly directory: string
    readonly servicesFile: string
    readonly incidentsFile: string
    readonly begin: Effect.Effect<StatusFiles["Service"], never, Scope.Scope>
    readonly database: ReturnType<typeof database>["state"]
  }) => Effect.Effect<void, E, Scope.Scope>
) =>
  Effect.scoped(
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory()
      const servicesFile = join(directory, "services.json")
      const incidentsFile = join(directory, "incidents.json")
      const wake = database()
      const begin = Effect.gen(function* () {
        const context = yield* Layer.build(
          Layer.mergeAll(layer({ servicesFile, incidentsFile }, every), wake.layer, layerLocal("test"))
        )
        const files = Context.get(context, StatusFiles)
        yield* Effect.provideContext(run(files.actor), context as Context.Context<Supervisor | Wake>)
        return files
      })
      yield* test({ directory, servicesFile, incidentsFile, begin, database: wake.state })
    })
  ).pipe(Effect.provideService(References.MinimumLogLevel, "Fatal"))

/** Ids of the loaded components. */
export const ids = (files: StatusFiles["Service"]) =>
  files
    .components()
    .map(({ id }) => id)
    .join(" ")
/** Waits until these components are loaded. */
export const shows = (files: StatusFiles["Service"], wanted: string) =>
  until(
    `shows ${wanted}`,
    Effect.sync(() => ids(files) === wanted)
  )
export const health = (files: StatusFiles["Service"]) => files.health()["services_file"]!
export const isDegraded = (files: StatusFiles["Service"]) =>
  until(
    "degraded",
    Effect.sync(() => health(files).status === "degraded")
  )
export const isOk = (files: StatusFiles["Service"]) =>
  until(
    "ok",
    Effect.sync(() => health(files).status === "ok")
  )

/** Waits for this many intervals, after which every change has been seen. */
export const looks = (count: number) => Effect.sleep(Duration.times(every, count))
