/**
 * Environment of an operator's command. On a host that runs the units, the command reads the same environment files as
 * the units; a variable that the caller sets wins. On other hosts, which have no such files, only the caller's
 * variables count.
 *
 * A command of one daemon sees that daemon's file. Every other command sees, of these files, the settings that are not
 * the platform's, such as ports: the platform's apply to one process only.
 */
import { Result } from "effect"
import { accessSync, constants, readdirSync, readFileSync, statSync } from "node:fs"
import { userInfo } from "node:os"
import { join } from "node:path"
import { parseEnvironmentFile } from "#protocols/systemd/EnvironmentFile.ts"
import type { Env } from "../config/Settings.ts"

/** Variable of the caller that names another directory of environment files; empty: none. */
export const directoryVariable = "SIGNALBOX_ENV_DIR"

/** Directory of the environment files. Source: EnvironmentFile= of systemd/signalbox.service. */
const standardDirectory = "/etc/signalbox"

/** Data directory of the units. Source: Environment= of systemd/signalbox.service. */
const unitDataDir = "/var/lib/signalbox"

/** Parent of the credentials of running units. Source: systemd.exec(5), CREDENTIALS. */
const standardCredentials = "/run/credentials"

/** Name of the file for all daemons, without its ending. */
const common = "signalbox"

export interface HostEnvironment {
  readonly env: Env
  /** Environment files that were read. */
  readonly files: ReadonlyArray<string>
  /** This host runs the units: the directory of environment files exists. */
  readonly onUnits: boolean
}

export interface HostOptions {
  readonly caller: Env
  /** Daemon of the command; undefined: the command concerns all. */
  readonly daemon: string | undefined
  /** Names of the platform's settings. */
  readonly platform: ReadonlySet<string>
  readonly credentials?: string
}

/** Reads the environment files. Fails with a sentence for the operator. */
export const readHostEnvironment = (options: HostOptions): Result.Result<HostEnvironment, string> => {
  const { [directoryVariable]: named, ...caller } = options.caller
  const directory = named ?? standardDirectory
  if (directory === "" || statSync(directory, { throwIfNoEntry: false })?.isDirectory() !== true) {
    return directory === "" || named === undefined
      ? Result.succeed({ env: caller, files: [], onUnits: false })
      : Result.fail(`${directoryVariable} names ${directory}, which is not a directory`)
  }
  const files: Array<string> = []
  const variablesOf = (name: string): ReadonlyArray<readonly [string, string]> => {
    const path = join(directory, `${name}.env`)
    try {
      const text = readFileSync(path, "utf8")
      files.push(path)
      return parseEnvironmentFile(text)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return []
      throw error
    }
  }
  try {
    const shared = new Map(variablesOf(common))
    const own = new Map<string, string>()
    if (options.daemon !== undefined) for (const [name, value] of variablesOf(options.daemon)) own.set(name, value)
    else {
      const others = readdirSync(directory)
        .filter((name) => name.endsWith(".env") && name !== `${common}.env`)
        .toSorted()
      for (const file of others) {
        for (const [name, value] of variablesOf(file.slice(0, -".env".length))) {
          if (!options.platform.has(name)) own.set(name, value)
          else if (name === "DATABASE_URL" && !shared.has(name) && caller[name] === undefined) {
            return Result.fail(
              `${name} is in ${join(directory, file)} but not in ${join(directory, `${common}.env`)}: put it there, ` +
                "because all daemons use one database"
            )
          }
        }
      }
    }
    const credentials = credentialsOf(options.credentials ?? standardCredentials, options.daemon)
    return Result.succeed({
      env: {
        SIGNALBOX_DATA_DIR: unitDataDir,
        ...Object.fromEntries(shared),
        ...Object.fromEntries(own),
        ...(credentials === undefined ? {} : { CREDENTIALS_DIRECTORY: credentials }),
        ...caller
      },
      files,
      onUnits: true
    })
  } catch (error) {
    const { code, path = directory } = error as NodeJS.ErrnoException
    if (code !== "EACCES" && code !== "EPERM") throw error
    return Result.fail(unreadable(path, userInfo().username))
  }
}

/** What to do about a file that this user may not read. Pure. */
const unreadable = (path: string, user: string): string =>
  `${user} cannot read ${path}, which says what the daemons of this host use. Run the command as root. Or let the ` +
  `group of the service read it (chgrp signalbox ${path}; chmod g+rX ${path}) and make ${user} a member: ` +
  `usermod -aG signalbox ${user}. To use none of these files, set ${directoryVariable} to nothing`

/** Credentials of a running unit of this daemon, of `up`, or of any daemon. Throws when they are not readable. */
const credentialsOf = (parent: string, daemon: string | undefined): string | undefined => {
  const present = statSync(parent, { throwIfNoEntry: false }) === undefined ? [] : readdirSync(parent)
  const unit = [
    `signalbox@${daemon ?? ""}.service`,
    "signalbox.service",
    ...(daemon === undefined ? present.filter((name) => /^signalbox@[\w-]+\.service$/.test(name)).toSorted() : [])
  ].find((name) => present.includes(name))
  if (unit === undefined) return undefined
  accessSync(join(parent, unit), constants.R_OK | constants.X_OK)
  return join(parent, unit)
}
