/** A bare Debian with a booted systemd and without network, in which the packages are installed. */
import { execFileSync } from "node:child_process"
import { copyFileSync } from "node:fs"
import { basename, join } from "node:path"
import { Effect, Schedule, type Scope } from "effect"
import { BootedSystemd, BootedSystemdError } from "#support/BootedSystemd.ts"
import { bareDebian } from "#support/peers/Peers.ts"
import { temporaryDirectory } from "#support/Postgres.ts"

/** Longest time of one command inside. Unit: milliseconds. Reason: a first start on a loaded machine. */
const commandTimeout = 180_000

export interface Machine {
  /** Its root directory, seen from outside. */
  readonly root: string
  /** Runs a script with sh as root. Fails with its output when it fails. */
  readonly sh: (script: string) => Effect.Effect<string, BootedSystemdError>
  /** Tries a script until it succeeds, at most a minute. */
  readonly until: (script: string) => Effect.Effect<string, BootedSystemdError>
  /** Copies a file from outside into /root or a folder there. Returns its path inside. */
  readonly put: (file: string, folder?: string) => Effect.Effect<string>
  readonly system: BootedSystemd["Service"]
}

/** Uses a new machine, whose disk is removed afterwards. */
export const withMachine = <A, E, R>(use: (machine: Machine) => Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const root = yield* temporaryDirectory("machine")
    execFileSync("cp", ["-a", "--reflink=auto", `${bareDebian}/.`, root])
    return yield* Effect.flatMap(BootedSystemd, (system) => use(machineOf(root, system))).pipe(
      Effect.provide(BootedSystemd.layerWith({ root, commandTimeout }))
    )
  }).pipe(Effect.scoped) as Effect.Effect<A, E | BootedSystemdError, Exclude<Exclude<R, BootedSystemd>, Scope.Scope>>

/** Variables of commands inside. Those of the test run have other meanings there. */
const environment = [
  "PATH=/usr/sbin:/usr/bin:/sbin:/bin",
  "HOME=/root",
  "LC_ALL=C.UTF-8",
  "DEBIAN_FRONTEND=noninteractive"
]

const machineOf = (root: string, system: BootedSystemd["Service"]): Machine => {
  const sh = (script: string) =>
    Effect.flatMap(system.run("env", "-i", ...environment, "sh", "-ec", script), ({ code, stderr, stdout }) =>
      code === 0
        ? Effect.succeed(stdout)
        : Effect.fail(
            new BootedSystemdError({
              reason: "CommandFailed",
              message: `${script}\nexit ${code}\n${stdout.slice(-4_000)}\n${stderr.slice(-4_000)}`
            })
          )
    )
  return {
    root,
    system,
    sh,
    until: (script) => Effect.retry(sh(script), { schedule: Schedule.spaced("250 millis"), times: 240 }),
    put: (file, folder = "") =>
      Effect.sync(() => {
        const path = join("/root", folder, basename(file))
        copyFileSync(file, join(root, path))
        return path
      })
  }
}
