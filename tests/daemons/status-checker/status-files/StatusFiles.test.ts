import { PgClient } from "@effect/sql-pg"
import { describe, expect, it } from "@effect/vitest"
import { Context, Duration, Effect, Fiber, Layer, Queue, References, type Scope } from "effect"
import { SqlError } from "effect/sql"
import { spawnSync } from "node:child_process"
import {
  appendFileSync,
  linkSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import { layerLocal, type Supervisor } from "#core/supervision/Supervisor.ts"
import { Wake } from "#core/events/Wake.ts"
import { layer, StatusFiles } from "#daemons/status-checker/status-files/StatusFiles.ts"
import { topic } from "#daemons/status-checker/status/Model.ts"
import { inFrame, run, until } from "#support/Frame.ts"
import { temporaryDirectory } from "#support/Postgres.ts"

/** Between two looks: shorter than in life, for the test's sake. */
const every = Duration.millis(200)

const component = (id: string) => ({ id, name: id, name_en: id })
const services = (...ids: ReadonlyArray<string>) => JSON.stringify({ services: ids.map(component) })
const incident = (id: string, components: ReadonlyArray<string> = []) => ({
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

/** A Wake over a database that is away until `back`; counts what was announced. */
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
  return {
    state,
    layer: Layer.succeed(Wake, Wake.of({ announce, subscribe: unused, announcement: unused, actor: unused }))
  }
}

/** Files in a directory of their own, looked at by the actor, no database. */
const watched = <E>(
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

const ids = (files: StatusFiles["Service"]) =>
  files
    .components()
    .map(({ id }) => id)
    .join(" ")
const shows = (files: StatusFiles["Service"], wanted: string) =>
  until(
    `shows ${wanted}`,
    Effect.sync(() => ids(files) === wanted)
  )
const health = (files: StatusFiles["Service"]) => files.health()["services_file"]!
const isDegraded = (files: StatusFiles["Service"]) =>
  until(
    "degraded",
    Effect.sync(() => health(files).status === "degraded")
  )
const isOk = (files: StatusFiles["Service"]) =>
  until(
    "ok",
    Effect.sync(() => health(files).status === "ok")
  )

/** Some looks later, everything that was going to be said was said. */
const looks = (count: number) => Effect.sleep(Duration.times(every, count))

describe("the two files", () => {
  it.live("are loaded at start, and unset ones are no fault", () =>
    watched(({ begin, incidentsFile, servicesFile }) =>
      Effect.gen(function* () {
        writeFileSync(servicesFile, services("mail", "web"))
        writeFileSync(incidentsFile, JSON.stringify([incident("one", ["mail", "gone"])]))
        const files = yield* begin
        expect(ids(files)).toBe("mail web")
        expect(files.incidents()[0]!.id).toBe("one")
        expect(files.incidentsKnown()).toBe(true)
        expect(files.revision()).toBe(1)
        expect(files.health()).toMatchObject({
          services_file: { status: "ok" },
          incidents_file: {
            status: "ok",
            warnings: ['incident "one" names the component "gone", which SERVICES_FILE does not declare']
          }
        })
        const bare = Context.get(
          yield* Layer.build(layer({ servicesFile: undefined, incidentsFile: undefined })),
          StatusFiles
        )
        expect(bare.components()).toEqual([])
        expect(bare.incidentsKnown()).toBe(true)
        expect(bare.health()).toMatchObject({
          services_file: { status: "unconfigured" },
          incidents_file: { status: "unconfigured" }
        })
      })
    )
  )

  it.live("are empty when missing or invalid at start, which is reported; the daemon starts and recovers", () =>
    watched(({ begin, incidentsFile, servicesFile }) =>
      Effect.gen(function* () {
        writeFileSync(incidentsFile, "[{")
        const files = yield* begin
        expect(files.components()).toEqual([])
        expect(files.incidentsKnown()).toBe(false)
        expect(files.health()).toMatchObject({
          services_file: {
            status: "degraded",
            detail: "SERVICES_FILE (services.json) is missing: create it, or unset the variable",
            last_good_at: null
          },
          incidents_file: {
            status: "degraded",
            detail: "INCIDENTS_FILE (incidents.json) is not valid JSON: it ends too early; look at line 1, column 3"
          }
        })
        writeFileSync(servicesFile, services("mail"))
        writeFileSync(incidentsFile, "[]")
        yield* shows(files, "mail")
        yield* until(
          "well",
          Effect.sync(() => Object.values(files.health()).every(({ status }) => status === "ok"))
        )
        expect(files.incidentsKnown()).toBe(true)
      })
    )
  )

  it.live("are read again after every kind of change, and announced to listeners and on the topic", () =>
    watched(({ begin, database, directory, servicesFile }) =>
      Effect.gen(function* () {
        writeFileSync(servicesFile, services("a"))
        const files = yield* begin
        let heard = 0
        const end = files.onChange(() => void (heard += 1))
        yield* until(
          "announced what was there",
          Effect.sync(() => database.announced.length === 1)
        )
        // In place.
        writeFileSync(servicesFile, services("b"))
        yield* shows(files, "b")
        // Put in its place.
        writeFileSync(join(directory, "draft"), services("c"))
        renameSync(join(directory, "draft"), servicesFile)
        yield* shows(files, "c")
        // Decoded away, and put there again.
        rmSync(servicesFile)
        writeFileSync(servicesFile, services("d"))
        yield* shows(files, "d")
        // In place, of the same length, with the same times of long ago: as a copy that keeps them.
        const longAgo = new Date("2026-01-01")
        utimesSync(servicesFile, longAgo, longAgo)
        yield* looks(3)
        writeFileSync(servicesFile, services("e"))
        utimesSync(servicesFile, longAgo, longAgo)
        yield* shows(files, "e")
        yield* until(
          "announced",
          Effect.sync(() => database.announced.length === 5)
        )
        expect(database.announced.every((name) => name === topic)).toBe(true)
        expect(heard).toBe(4)
        expect(files.revision()).toBe(5)
        end()
        // The same content, touched.
        utimesSync(servicesFile, new Date(), new Date())
        yield* looks(4)
        expect(files.revision()).toBe(5)
        expect(heard).toBe(4)
      })
    )
  )

  it.live("follow links that are swapped in two steps, as Kubernetes does", () =>
    watched(({ begin, directory, servicesFile }) =>
      Effect.gen(function* () {
        const version = (name: string, ...shown: ReadonlyArray<string>) => {
          mkdirSync(join(directory, name))
          writeFileSync(join(directory, name, "services.json"), services(...shown))
          symlinkSync(name, join(directory, "..data_tmp"))
          renameSync(join(directory, "..data_tmp"), join(directory, "..data"))
        }
        version("..2026_01", "one")
        symlinkSync(join("..data", "services.json"), servicesFile)
        const files = yield* begin
        expect(ids(files)).toBe("one")
        version("..2026_02", "two")
        rmSync(join(directory, "..2026_01"), { recursive: true })
        yield* shows(files, "two")
        expect(health(files).status).toBe("ok")
        // A mount that vanished, and came again.
        rmSync(join(directory, "..data"))
        yield* isDegraded(files)
        expect(ids(files)).toBe("two")
        symlinkSync("..2026_02", join(directory, "..data"))
        yield* isOk(files)
      })
    )
  )

  it.live(
    "keep the last valid content when a file breaks, and report the fault, its start and the age of the content",
    () =>
      watched(({ begin, database, servicesFile }) =>
        Effect.gen(function* () {
          writeFileSync(servicesFile, services("a", "b"))
          const files = yield* begin
          const goodAt = health(files)["last_good_at"] as string
          writeFileSync(servicesFile, services("a", "b", "a"))
          yield* isDegraded(files)
          expect(health(files)).toEqual({
            status: "degraded",
            detail:
              'SERVICES_FILE (services.json): services[2].id is "a", as services[0].id is: give each component a unique id',
            since: expect.stringMatching(/^\d{4}-.*Z$/),
            last_good_at: expect.stringMatching(/^\d{4}-.*Z$/)
          })
          expect(Date.parse(health(files)["last_good_at"] as string)).toBeGreaterThanOrEqual(Date.parse(goodAt))
          expect(Date.parse(health(files)["since"] as string)).toBeGreaterThan(Date.parse(goodAt))
          expect(ids(files)).toBe("a b")
          expect(files.revision()).toBe(1)
          // As it was before: nothing was taken, and all is well.
          writeFileSync(servicesFile, services("a", "b"))
          yield* isOk(files)
          expect(files.revision()).toBe(1)
          writeFileSync(servicesFile, services("c"))
          yield* shows(files, "c")
          yield* until(
            "announced",
            Effect.sync(() => database.announced.length === 2)
          )
        })
      )
  )

  it.live("are not reported as invalid while they are written in pieces", () =>
    watched(({ begin, servicesFile }) =>
      Effect.gen(function* () {
        writeFileSync(servicesFile, services("a"))
        const files = yield* begin
        const seen = new Set<string>()
        const watching = yield* Effect.forkScoped(
          Effect.forever(
            Effect.andThen(
              Effect.sync(() => seen.add(`${health(files).status} ${ids(files)}`)),
              Effect.sleep(20)
            )
          )
        )
        const text = services("b", "c", "d")
        truncateSync(servicesFile)
        for (let at = 0; at < text.length; at += 4) {
          appendFileSync(servicesFile, text.slice(at, at + 4))
          yield* Effect.sleep(50)
        }
        yield* shows(files, "b c d")
        yield* until(
          "seen",
          Effect.sync(() => seen.size > 1)
        )
        yield* Fiber.interrupt(watching)
        expect([...seen].sort()).toEqual(["ok a", "ok b c d"])
      })
    )
  )

  it.live("must be regular files within the size limit", () =>
    watched(({ begin, directory, servicesFile }) =>
      Effect.gen(function* () {
        spawnSync("mkfifo", [servicesFile])
        const files = yield* begin
        expect(health(files).detail).toBe("SERVICES_FILE (services.json) is not a file: set the path of a file")
        const replace = (how: (draft: string) => void) => {
          how(join(directory, "draft"))
          rmSync(servicesFile, { recursive: true })
          renameSync(join(directory, "draft"), servicesFile)
        }
        const says = (sentence: string) =>
          until(
            sentence,
            Effect.sync(() => health(files).detail?.includes(sentence) === true)
          )
        replace((draft) => writeFileSync(draft, `${services("a").slice(0, -1)}, "x": "${"y".repeat(10_000_000)}"}`))
        yield* says("is larger than 1048576 bytes: remove old entries")
        replace((draft) => mkdirSync(draft))
        yield* says("is not a file")
        replace((draft) => writeFileSync(draft, '{"a":'.repeat(200_000)))
        yield* says("nested deeper than 32 levels")
        replace((draft) => symlinkSync("services.json", draft))
        yield* says("is a link to itself")
        replace((draft) => linkSync("config/status/services.json", draft))
        yield* shows(files, "mail webmail telephony")
      })
    )
  )

  it.live("are still read while the database is away, and announced when it is back", () =>
    watched(({ begin, database, servicesFile }) =>
      Effect.gen(function* () {
        database.away = true
        writeFileSync(servicesFile, services("a"))
        const files = yield* begin
        let heard = 0
        files.onChange(() => void (heard += 1))
        for (const [index, id] of ["b", "c"].entries()) {
          writeFileSync(servicesFile, services(id))
          yield* shows(files, id)
          yield* until(
            `told of ${id}`,
            Effect.sync(() => heard === index + 1)
          )
        }
        yield* until(
          "tried",
          Effect.sync(() => database.refused > 2)
        )
        expect(database.announced).toEqual([])
        database.away = false
        yield* until(
          "announced",
          Effect.sync(() => database.announced.length > 0)
        )
      })
    )
  )

  it.live("are announced to other processes through Postgres", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const servicesFile = join(yield* temporaryDirectory(), "services.json")
        writeFileSync(servicesFile, services("a"))
        yield* inFrame(
          Effect.gen(function* () {
            const files = Context.get(
              yield* Layer.build(layer({ servicesFile, incidentsFile: undefined }, every)),
              StatusFiles
            )
            // As another process hears it: Postgres has confirmed that it listens.
            const heard = yield* (yield* PgClient.PgClient).listen("signalbox")
            const announced = Effect.map(Queue.take(heard), ({ payload }) => payload === topic)
            yield* run(files.actor)
            yield* until("what was there at the start is announced", announced)
            writeFileSync(servicesFile, services("b"))
            yield* until("the change is announced", announced)
            expect(ids(files)).toBe("b")
          })
        )
      })
    )
  )
})
