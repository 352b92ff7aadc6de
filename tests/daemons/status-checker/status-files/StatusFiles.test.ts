/** SERVICES_FILE and INCIDENTS_FILE: loading, changes of every kind, and their announcement. */
import { PgClient } from "@effect/sql-pg"
import { describe, expect, it } from "@effect/vitest"
import { Context, Effect, Fiber, Layer, Logger, Queue } from "effect"
import { SqlError } from "effect/sql"
import { mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { layer, StatusFiles } from "#daemons/status-checker/status-files/StatusFiles.ts"
import { topic } from "#daemons/status-checker/status/Model.ts"
import { inFrame, run, until } from "#support/Frame.ts"
import { temporaryDirectory } from "#support/Postgres.ts"
import { every, health, ids, incident, isDegraded, isOk, looks, services, shows, watched } from "./WatchedFiles.ts"

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
        expect(bare.componentsKnown()).toBe(true)
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
        expect(files.componentsKnown()).toBe(false)
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

  it.live("a database that cannot be read is logged once for each reason, and degrades health", () =>
    Effect.gen(function* () {
      let reason: string | undefined = "permission denied"
      let failures = 0
      const read = Effect.suspend(() => {
        if (reason === undefined) return Effect.succeed([])
        failures++
        return Effect.fail(new SqlError.SqlError({ reason: new SqlError.UnknownError({ cause: new Error(reason) }) }))
      })
      const lines: Array<string> = []
      const keep = Logger.make(({ message }) => void lines.push(String(message)))
      const building = Effect.forkChild(
        Layer.build(layer({ servicesFile: undefined, incidentsFile: undefined }, every, read)).pipe(
          Effect.provide(Logger.layer([keep]))
        )
      )
      const fiber = yield* building
      yield* until(
        "it has failed three times",
        Effect.sync(() => failures >= 3)
      )
      reason = undefined
      const files = Context.get(yield* Fiber.join(fiber), StatusFiles)
      expect(lines.map((line) => line.split(":")[0])).toEqual([
        "the components of the database cannot be read",
        "the components of the database are read again"
      ])
      expect(files.health()["stored_components"]).toEqual({ status: "ok" })
      reason = "relation does not exist"
      yield* files.refresh
      expect(files.health()["stored_components"]).toMatchObject({ status: "degraded" })
      reason = undefined
      yield* files.refresh
      expect(files.health()["stored_components"]).toEqual({ status: "ok" })
    }).pipe(Effect.scoped)
  )
})
