/**
 * Prepares the process for an operator's command: environment files of the host, then the user that owns the data
 * directory. Not for `up` and `run`, to which systemd or the caller gives both.
 */
import { Context, Effect, Result } from "effect"
import { resolve } from "node:path"
import { getCACertificates, setDefaultCACertificates } from "node:tls"
import { readFileSync } from "node:fs"
import { Environment, exitConfig } from "../config/Environment.ts"
import { fail } from "./Ending.ts"
import { type HostEnvironment, readHostEnvironment } from "./HostEnvironment.ts"
import { continueAsOwner } from "./ServiceUser.ts"

/** Environment files that this command read. */
export const EnvironmentFiles = Context.Reference<ReadonlyArray<string>>("signalbox/core/cli/EnvironmentFiles", {
  defaultValue: () => []
})

/** Commands that serve or need no environment. */
const without = new Set(["up", "run", "openapi"])

/** Name of the command, when it is one that speaks to a database or to daemons. Pure. */
export const commandOf = (args: ReadonlyArray<string>): string | undefined => {
  const [name] = args.filter((arg) => !arg.startsWith("-"))
  return name === undefined ||
    without.has(name) ||
    args.some((arg) => /^(-h|--help|--version|--completions.*)$/.test(arg))
    ? undefined
    : name
}

/** Runs a command with the environment of the host. `daemonOf`: daemon of each command that belongs to one. */
export const onHost =
  (args: ReadonlyArray<string>, daemonOf: Readonly<Record<string, string>>) =>
  <A, E, R>(command: Effect.Effect<A, E, R>) =>
    Effect.gen(function* () {
      const name = commandOf(args)
      if (name === undefined) return yield* command
      const { defaultDataDir, platformSettings } = yield* Effect.promise(() => import("../config/PlatformSettings.ts"))
      const platform = new Set(
        Object.values(platformSettings).flatMap((setting) => [setting.name, `${setting.name}_FILE`])
      )
      const host = yield* done(readHostEnvironment({ caller: yield* Environment, daemon: daemonOf[name], platform }))
      trustAuthorities(host)
      yield* done(
        continueAsOwner(resolve(host.env["SIGNALBOX_DATA_DIR"] || defaultDataDir), host.onUnits, name === "migrate")
      )
      return yield* command.pipe(
        Effect.provideService(Environment, host.env),
        Effect.provideService(EnvironmentFiles, host.files)
      )
    })

const done = <A>(result: Result.Result<A, string>) =>
  Result.isSuccess(result) ? Effect.succeed(result.success) : Effect.fail(fail(result.failure, exitConfig))

/** Node reads NODE_EXTRA_CA_CERTS at its own start only, which is before the files are read. */
const trustAuthorities = ({ env }: HostEnvironment): void => {
  const path = env["NODE_EXTRA_CA_CERTS"]
  if (path === undefined || path === process.env["NODE_EXTRA_CA_CERTS"]) return
  setDefaultCACertificates([...getCACertificates("default"), readFileSync(path, "utf8")])
}
