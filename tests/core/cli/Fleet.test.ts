import { assert, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { Fleet, members, type Parts, running } from "#core/cli/Fleet.ts"
import { known } from "#core/daemon/KnownDaemons.ts"
import { loaders } from "#daemons/Daemons.ts"
import { daemons } from "#daemons/Suite.ts"
import { ensureBuilt } from "#support/Executable.ts"

const names = daemons.map(({ name }) => name)

/** Runs `use` with parts that record what they load. */
const loading = <A, E>(use: Effect.Effect<A, E, Fleet>) =>
  Effect.gen(function* () {
    const loaded: Array<string> = []
    const parts: Parts = {
      known: () => daemons.map(known),
      load: (name) => {
        loaded.push(name)
        return Promise.resolve(daemons.find((daemon) => daemon.name === name)!)
      }
    }
    const whole = Effect.sync(() => {
      loaded.push("all")
      return daemons
    })
    return { result: yield* Effect.provideService(use, Fleet, Fleet.of({ daemons: whole, parts })), loaded }
  })

it.effect("a process loads its daemons, and knows the others without their code", () =>
  Effect.gen(function* () {
    const { loaded, result } = yield* loading(running(["status-checker", "alarm-bridge", "status-checker"]))
    expect(loaded.toSorted()).toEqual(["alarm-bridge", "status-checker"])
    expect(result.daemons.map(({ name }) => name)).toEqual(names.filter((name) => loaded.includes(name)))
    expect(result.fleet.map(({ name }) => name)).toEqual(names)
    const own = result.fleet.filter((member) => "start" in member)
    expect(own.map(({ name }) => name)).toEqual(result.daemons.map(({ name }) => name))
  })
)

it.effect("a command that needs names and ports loads nothing", () =>
  Effect.gen(function* () {
    const { loaded, result } = yield* loading(members)
    expect([loaded, result.map(({ name, port }) => [name, port])]).toEqual([
      [],
      daemons.map(({ name, port }) => [name, port])
    ])
  })
)

it.effect("a daemon that shows all loads the code of all", () =>
  Effect.gen(function* () {
    for (const name of ["identity", "localization", "watchdog"]) {
      const { loaded, result } = yield* loading(running([name, "mail-admin"]))
      expect(loaded).toEqual(["all"])
      expect(result.fleet).toBe(daemons)
    }
  })
)

it.effect("an unknown name is refused before anything is loaded", () =>
  Effect.gen(function* () {
    const error = yield* Effect.flip(loading(running(["status-checker", "status-chekcer"])))
    expect(String(error.message)).toContain("there is no daemon status-chekcer. There are: identity, ")
  })
)

it("the list names each daemon by its own name", async () => {
  for (const [name, load] of Object.entries(loaders)) assert.strictEqual((await load()).name, name)
})

it("the build writes what is known of all daemons: migrations, and the variables of their settings", () => {
  ensureBuilt()
  const file = join(import.meta.dirname, "../../../dist/fleet.json")
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(daemons.map(known))
  for (const { migrations, settings } of daemons.map(known)) {
    expect(migrations.steps).toHaveLength(1)
    expect(Object.values(settings).every(({ name }) => /^[A-Z][A-Z0-9_]+$/.test(name))).toBe(true)
  }
}, 120_000)
