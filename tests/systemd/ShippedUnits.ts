// Helpers of the tests in a booted systemd: installs the shipped units as in systemd/README.md, with one boot per test.

import { assert, it } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import { build } from "esbuild"
import { readFileSync } from "node:fs"
import { symlink } from "node:fs/promises"
import { join } from "node:path"
import { BootedSystemd, BootedSystemdError } from "#support/BootedSystemd.ts"
import { requireBanner } from "../../scripts/bundle.ts"

const root = join(import.meta.dirname, "../..")

/** Folder of the stand-in program in the machine. */
const standInFolder = "/run/stand-in"

let bundled: Promise<string> | undefined

/** StandIn.ts as one file, which starts in a fifth of the processor time. Built once. */
const standInBundle = () =>
  (bundled ??= build({
    absWorkingDir: root,
    entryPoints: ["tests/systemd/StandIn.ts"],
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    target: "node24",
    external: ["pg-native"],
    banner: { js: requireBanner },
    logLevel: "warning"
  }).then(({ outputFiles }) => outputFiles[0]!.text))

/** Command of the stand-in program in a mode of StandIn.ts. */
export const standIn = (mode: string): string => `/opt/signalbox/bin/pinned-node ${standInFolder}/StandIn.mjs ${mode}`

export const unit = "signalbox.service"

export const shipped = (name: string): string => readFileSync(join(root, "systemd", name), "utf8")

/** A test in its own systemd with the shipped units. Uses the real clock, because systemd does. */
export const booted = (
  name: string,
  body: (
    system: BootedSystemd["Service"]
  ) => Generator<Effect.Effect<unknown, BootedSystemdError, BootedSystemd>, void, never>
): void =>
  it.live(
    name,
    () =>
      Effect.gen(function* () {
        const system = yield* install
        yield* Effect.gen(() => body(system))
      }).pipe(Effect.provide(BootedSystemd.layer)),
    120_000
  )

/** Starts a unit and waits for its READY=1. A failure shows the unit's journal. */
export const start = (name: string): Effect.Effect<void, BootedSystemdError, BootedSystemd> =>
  Effect.flatMap(BootedSystemd, (system) =>
    Effect.catch(Effect.asVoid(system.systemctl("start", name)), (error) =>
      Effect.flatMap(system.journal(name), (journal) =>
        Effect.fail(new BootedSystemdError({ reason: error.reason, message: `${error.message}\n${journal}` }))
      )
    )
  )

/** Stops a unit. Returns the duration in milliseconds. */
export const stop = (name: string): Effect.Effect<number, BootedSystemdError, BootedSystemd> =>
  Effect.gen(function* () {
    const system = yield* BootedSystemd
    const begun = performance.now()
    yield* system.systemctl("stop", name)
    return performance.now() - begun
  })

/** Waits until the unit has these properties, at most 60 s. */
export const becomes = (
  name: string,
  wanted: Readonly<Record<string, string>>
): Effect.Effect<void, BootedSystemdError, BootedSystemd> =>
  Effect.gen(function* () {
    const system = yield* BootedSystemd
    const now = yield* system.show(name, ...Object.keys(wanted))
    if (Object.entries(wanted).every(([key, value]) => now[key] === value)) return
    return yield* new BootedSystemdError({
      reason: "CommandFailed",
      message: `${name} is ${JSON.stringify(now)}, not ${JSON.stringify(wanted)}`
    })
  }).pipe(Effect.retry({ schedule: Schedule.spaced("200 millis"), times: 300 }))

/** Installs the units like an operator, as in systemd/README.md, and the stand-in program. */
const install = Effect.gen(function* () {
  const system = yield* BootedSystemd
  yield* system.writeFile("/etc/sysusers.d/signalbox.conf", shipped("signalbox.sysusers.conf"))
  const created = yield* system.run("systemd-sysusers", "signalbox.conf")
  assert.strictEqual(created.code, 0, created.stderr)
  for (const name of [unit, "signalbox@.service", "signalbox-failed@.service", "signalbox.target"])
    yield* system.writeFile(`/etc/systemd/system/${name}`, shipped(name))
  yield* system.systemctl("daemon-reload")
  yield* system.writeFile(`${standInFolder}/StandIn.mjs`, yield* Effect.promise(standInBundle))
  // For the stand-in's Postgres.
  const modules = `/proc/${yield* system.pid}/root${standInFolder}/node_modules`
  yield* Effect.promise(() => symlink("/opt/signalbox/node_modules", modules))
  return system
})
