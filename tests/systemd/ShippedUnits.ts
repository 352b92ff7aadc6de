// Helpers of the tests in a booted systemd: installs the shipped units as in systemd/README.md, with one boot per test.

import { assert, it } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { BootedSystemd, BootedSystemdError } from "#support/BootedSystemd.ts"

export const unit = "signalbox.service"

export const shipped = (name: string): string => readFileSync(join(import.meta.dirname, "../../systemd", name), "utf8")

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
  }).pipe(Effect.retry({ schedule: Schedule.spaced("50 millis"), times: 1_200 }))

/** Installs the units like an operator, as in systemd/README.md. */
const install = Effect.gen(function* () {
  const system = yield* BootedSystemd
  yield* system.writeFile("/etc/sysusers.d/signalbox.conf", shipped("signalbox.sysusers.conf"))
  const created = yield* system.run("systemd-sysusers", "signalbox.conf")
  assert.strictEqual(created.code, 0, created.stderr)
  for (const name of [unit, "signalbox@.service", "signalbox-failed@.service", "signalbox.target"])
    yield* system.installUnit(name, shipped(name))
  return system
})
