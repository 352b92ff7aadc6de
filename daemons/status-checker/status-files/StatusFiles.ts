/**
 * Last valid content of SERVICES_FILE and INCIDENTS_FILE, and the components of the database behind those of the file.
 * In memory only.
 */
import { Context, Duration, Effect, Latch, Layer, Semaphore } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { settings } from "#core/config/Environment.ts"
import * as Backoff from "#core/supervision/Backoff.ts"
import type { Component as HealthComponent } from "#core/daemon/Health.ts"
import { Actor, type ActorSpec } from "#core/supervision/Supervisor.ts"
import { Wake } from "#core/events/Wake.ts"
import { type FileConfig, fileSettings } from "./Settings.ts"
import { type Component, type Incident, topic } from "../status/Model.ts"
import { decodeIncidents, maxIncidentsFile, unknownComponents, writtenKey } from "./IncidentFile.ts"
import { decodeServices, maxServicesFile } from "./Services.ts"
import { readStored } from "./StoredComponents.ts"
import * as WatchedFile from "./WatchedFile.ts"

/** Same instance each time, so that callers can compare by reference. */
const none: ReadonlyArray<never> = []

export class StatusFiles extends Context.Service<
  StatusFiles,
  {
    /** Components of the file, then those of the database; an id of the file hides the same id of the database. */
    readonly components: () => ReadonlyArray<Component>
    /** Whether the file declares the component. */
    readonly inFile: (id: string) => boolean
    /** Reads the components of the database again. Every process also does so after each change. */
    readonly refresh: Effect.Effect<void>
    readonly incidents: () => ReadonlyArray<Incident>
    /** Timestamp of an update as INCIDENTS_FILE writes it; undefined for updates of other sources. */
    readonly written: (incidentId: string, timestamp: string) => string | undefined
    /** Increases with every accepted change. */
    readonly revision: () => number
    /**
     * Calls `listener` after every accepted change, even while Postgres is away. The listener must not throw or block.
     * Returns the function that removes it. Other processes are notified by `Model.topic`.
     */
    readonly onChange: (listener: () => void) => () => void
    /** Whether the components of the file are known: SERVICES_FILE was read successfully or is not set. */
    readonly componentsKnown: () => boolean
    /** Whether the incidents of the file are known: INCIDENTS_FILE was read successfully or is not set. */
    readonly incidentsKnown: () => boolean
    readonly health: () => Readonly<Record<string, HealthComponent>>
    /** Watches the files. Runs in every process, since each answers from its own memory. */
    readonly actor: ActorSpec<Wake>
  }
>()("signalbox/status-checker/StatusFiles") {}

/**
 * Interval of looks at the files. Unit: seconds. Reason: authors look at the page right after saving, and a look is one
 * system call.
 */
const lookEvery = Duration.seconds(1)

/** Failures between two log lines of the same reason. Reason: about one a minute (`Backoff.eager`). */
const toldEvery = 60

/** Longest time between two reads of the database. Reason: an announcement may be lost. */
const longestFollow = Duration.seconds(30)

/**
 * Reads both files during the build, so that the first page shows them. A missing or broken file shows nothing and
 * degrades health.
 */
export const layer = (
  config: FileConfig,
  every = lookEvery,
  read: Effect.Effect<ReadonlyArray<Component>, SqlError.SqlError> = Effect.succeed(none)
): Layer.Layer<StatusFiles> => Layer.effect(StatusFiles, make(config, every, read))

/** Files of the settings, and the components of the database; one instance for all features. */
export const statusFiles = Layer.unwrap(
  Effect.gen(function* () {
    const config = yield* settings(fileSettings)
    const sql = yield* SqlClient.SqlClient
    return layer(config, lookEvery, Effect.provideService(readStored, SqlClient.SqlClient, sql))
  })
)

const make = Effect.fnUntraced(function* (
  { incidentsFile, servicesFile }: FileConfig,
  every: Duration.Duration,
  read: Effect.Effect<ReadonlyArray<Component>, SqlError.SqlError>
) {
  const services =
    servicesFile === undefined
      ? undefined
      : WatchedFile.make({
          variable: "SERVICES_FILE",
          path: servicesFile,
          maximum: maxServicesFile,
          decode: decodeServices
        })
  const incidents =
    incidentsFile === undefined
      ? undefined
      : WatchedFile.make({
          variable: "INCIDENTS_FILE",
          path: incidentsFile,
          maximum: maxIncidentsFile,
          decode: decodeIncidents
        })
  const listeners = new Set<() => void>()
  const changed = Latch.makeUnsafe(false)
  let revision = 0
  let announced = 0
  let trouble: string | undefined
  let failures = 0
  /** Reads the components of the database. Logs the first failure, a new reason, and a long one about once a minute. */
  const readTold = Effect.tapError(read, ({ message }) => {
    const isNews = message !== trouble || ++failures % toldEvery === 0
    if (message !== trouble) failures = 0
    trouble = message
    return isNews ? Effect.logWarning(`the components of the database cannot be read: ${message}`) : Effect.void
  }).pipe(
    Effect.tap(() => {
      const isOver = trouble !== undefined
      trouble = undefined
      return isOver ? Effect.logInfo("the components of the database are read again") : Effect.void
    })
  )
  // Without the components the checks would forget their results, so the build of the layer waits for the database.
  let stored = yield* Effect.orDie(Effect.retry(readTold, Backoff.schedule(Backoff.eager)))
  let all: ReadonlyArray<Component> = none
  const merge = () => {
    const declared = services?.value() ?? none
    const ids = new Set(declared.map(({ id }) => id))
    const rest = stored.filter(({ id }) => !ids.has(id))
    all = rest.length === 0 ? declared : [...declared, ...rest]
    revision += 1
    for (const listener of listeners) listener()
  }

  const look = Effect.fnUntraced(function* (patient: boolean) {
    const taken = [yield* services?.look(patient) ?? nothing, yield* incidents?.look(patient) ?? nothing]
    if (!taken.includes(true)) return
    merge()
    Latch.openUnsafe(changed)
  })

  yield* look(false)
  if (stored.length > 0) merge()

  /** One read at a time, so that an older answer never replaces a newer one. */
  const reading = Semaphore.makeUnsafe(1)
  const refresh = reading.withPermit(
    Effect.map(readTold, (found) => {
      if (JSON.stringify(found) === JSON.stringify(stored)) return
      stored = found
      merge()
    })
  )

  /** Changes of the database announce the topic themselves. While it is away the last components stay. */
  const following = Effect.scoped(
    Effect.gen(function* () {
      const wakeup = yield* (yield* Wake).subscribe(topic)
      while (true) {
        yield* wakeup.wait(longestFollow)
        yield* Effect.ignore(refresh)
      }
    })
  )

  const looking = Effect.gen(function* () {
    const actor = yield* Actor
    while (true) {
      yield* actor.progress
      yield* look(true)
      yield* Effect.sleep(every)
    }
  })

  /** Separate from `looking`, which continues while the database is away. */
  const announcing = Effect.gen(function* () {
    const wake = yield* Wake
    while (true) {
      yield* changed.await
      Latch.closeUnsafe(changed)
      const now = revision
      if (announced === now) continue
      yield* Effect.retry(wake.announce(topic), Backoff.schedule(Backoff.eager))
      announced = now
    }
  })

  return StatusFiles.of({
    components: () => all,
    inFile: (id) => services?.value()?.some((one) => one.id === id) ?? false,
    refresh: Effect.ignore(refresh),
    incidents: () => incidents?.value()?.incidents ?? none,
    written: (incidentId, timestamp) => incidents?.value()?.written.get(writtenKey(incidentId, timestamp)),
    revision: () => revision,
    onChange: (listener) => {
      const own = () => listener()
      listeners.add(own)
      return () => void listeners.delete(own)
    },
    componentsKnown: () => services === undefined || services.value() !== undefined,
    incidentsKnown: () => incidents === undefined || incidents.value() !== undefined,
    health: () => ({
      services_file: services?.health() ?? unset("SERVICES_FILE"),
      incidents_file:
        incidents?.health(
          services?.value() === undefined
            ? []
            : unknownComponents(incidents.value()?.incidents ?? [], new Set(all.map(({ id }) => id)))
        ) ?? unset("INCIDENTS_FILE"),
      stored_components:
        trouble === undefined ? { status: "ok" } : { status: "degraded", detail: `cannot be read: ${trouble}` }
    }),
    actor: {
      name: "files",
      run: Effect.all([looking, announcing, following], { concurrency: "unbounded", discard: true })
    }
  })
})

const nothing = Effect.succeed(false)

const unset = (variable: string): HealthComponent => ({ status: "unconfigured", detail: `${variable} is not set` })
