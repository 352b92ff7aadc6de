/**
 * The checks of `signalbox check`. They change nothing. An existing embedded server that is not running is started for
 * the duration of the check. A check is skipped when a check it depends on has failed.
 */
import { Cause, Effect, Exit, Redacted, Result } from "effect"
import { accessSync, constants, existsSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import type { Daemon } from "../daemon/Daemon.ts"
import { Environment, settings } from "../config/Environment.ts"
import { platformSettings } from "../config/PlatformSettings.ts"
import { type ConnectionTarget, parse as parseTarget } from "../postgres/ConnectionTarget.ts"
import * as PostgresKeeper from "../postgres/PostgresKeeper.ts"
import * as Settings from "../config/Settings.ts"
import { checkSettings, ports } from "../daemon/Suite.ts"
import { checkDatabase } from "./DatabaseChecks.ts"
import { innermost } from "../sql/Sql.ts"
import { bad, type Finding, ok, warn } from "./Finding.ts"
import { keyFileFinding } from "./KeyFileCheck.ts"
import { EnvironmentFiles } from "./OperatorHost.ts"
import { speechFindings } from "./SpeechCheck.ts"
import { unknownVariableLines } from "./SettingsCatalogue.ts"
import { hasDatabase } from "./Storage.ts"

/** Runs all checks. Findings come in the order in which an operator should fix them. */
export const checkAll = (daemons: ReadonlyArray<Daemon>): Effect.Effect<ReadonlyArray<Finding>> =>
  Effect.gen(function* () {
    const env = yield* Environment
    const files = (yield* EnvironmentFiles).map((path) => ok("environment", path))
    const unknown = unknownVariableLines(Object.keys(env), daemons).map((line) => warn("settings", line))
    const checked = yield* Effect.exit(checkSettings(daemons))
    const loaded = Settings.load(platformSettings, env)
    const set = Exit.isSuccess(checked)
      ? [ok("settings", `${daemons.length} daemon${daemons.length === 1 ? "" : "s"}`)]
      : problemsOf(checked).map((problem) => bad("settings", `${problem.name} ${problem.message}`))
    if (Result.isFailure(loaded)) return [...files, ...set, ...unknown]
    const config = loaded.success
    const keyFile = config.keyFile ?? join(config.dataDir, "keys")
    return [
      ...files,
      ...set,
      ...unknown,
      ...portFindings(daemons, env, config.gatewayPort),
      dataDirectoryFinding(config.dataDir),
      keyFileFinding(keyFile),
      ...speechFindings(env),
      ...(yield* databaseFindings(daemons))
    ]
  })

const problemsOf = (exit: Exit.Exit<void, { readonly problems: ReadonlyArray<Settings.SettingProblem> }>) =>
  Result.match(
    Exit.isFailure(exit) ? Result.fromOption(Exit.findErrorOption(exit), () => undefined) : Result.fail(undefined),
    { onFailure: () => [], onSuccess: (error) => error.problems }
  )

/** Reports ports that two listeners share. */
const portFindings = (
  daemons: ReadonlyArray<Daemon>,
  env: Settings.Env,
  gatewayPort: number
): ReadonlyArray<Finding> => {
  const loaded = Settings.load(ports(daemons), env)
  if (Result.isFailure(loaded)) return []
  const holders = Map.groupBy(
    [["gateway", gatewayPort] as const, ...Object.entries(loaded.success)].filter(([, port]) => port !== 0),
    ([, port]) => port
  )
  const clashes = [...holders].filter(([, names]) => names.length > 1)
  return clashes.map(([port, names]) =>
    bad("ports", `${names.map(([name]) => name).join(" and ")} have the same port ${port}`)
  )
}

const dataDirectoryFinding = (dataDir: string): Finding => {
  let existing = dataDir
  while (!existsSync(existing) && dirname(existing) !== existing) existing = dirname(existing)
  try {
    accessSync(existing, constants.W_OK | constants.X_OK)
  } catch {
    return bad("data directory", `this user cannot write to ${existing}; change SIGNALBOX_DATA_DIR or the owner`)
  }
  if (existing !== dataDir) return ok("data directory", `${dataDir}, created at the first start`)
  return (statSync(dataDir).mode & 0o022) !== 0
    ? warn("data directory", `other users can write to ${dataDir}: chmod go-w ${dataDir}`)
    : ok("data directory", dataDir)
}

/** Checks the configured database. An embedded database that does not exist yet is not created. */
const databaseFindings = (daemons: ReadonlyArray<Daemon>): Effect.Effect<ReadonlyArray<Finding>> =>
  Effect.scoped(
    Effect.gen(function* () {
      const config = yield* settings(platformSettings)
      if (config.databaseUrl !== undefined) {
        const target: ConnectionTarget = yield* Effect.fromResult(parseTarget(Redacted.value(config.databaseUrl)))
        return yield* checkDatabase(target, daemons, `DATABASE_URL, ${target.database} at ${target.host}`, false)
      }
      if (!hasDatabase(config.dataDir)) return [ok("database", "embedded Postgres, created at the first start")]
      const keeper = yield* PostgresKeeper.make({ dataDir: config.dataDir, fsync: config.fsync })
      return yield* checkDatabase(keeper.target, daemons, "embedded Postgres", true)
    })
  ).pipe(
    Effect.catchCause((cause) =>
      Effect.succeed([bad("database", `does not answer, or refuses: ${innermost(Cause.squash(cause))}`)])
    )
  )
