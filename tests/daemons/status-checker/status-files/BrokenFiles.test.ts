/** SERVICES_FILE while it is invalid, incomplete, too large or no file. */
import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { spawnSync } from "node:child_process"
import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import { until } from "#support/Frame.ts"
import { health, ids, isDegraded, isOk, services, shows, watched } from "./WatchedFiles.ts"

describe("the two files when they are broken", () => {
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
        replace((draft) => copyFileSync("config/status/services.json", draft))
        yield* shows(files, "mail webmail telephony")
      })
    )
  )
})
