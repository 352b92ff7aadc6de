/**
 * Creates the database cluster with initdb. initdb runs in a temporary directory that is renamed when complete, so an
 * interrupted start never leaves a partial cluster. The next start deletes the temporary directory.
 */
import { randomUUID } from "node:crypto"
import {
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync
} from "node:fs"
import { join } from "node:path"
import { Duration, Effect } from "effect"
import { type EmbeddedPostgresError, failure, fileSystemFailure } from "./EmbeddedPostgresError.ts"
import { isAlive } from "../supervision/ProcessIdentity.ts"
import { superuserRole } from "./ServerAccess.ts"
import { launcher, type ServerAccount } from "./ServerAccount.ts"
import type { Binaries } from "./ServerBinaries.ts"
import type { ServerLayout } from "./ServerLayout.ts"
import { logTail, run } from "./ServerProcess.ts"

/**
 * First major version with the builtin locale provider, whose sort order does not change with the C library and break
 * indexes.
 */
const builtinLocaleSince = 17

const unfinished = new Set<string>()

/** Arguments of initdb for a directory. Pure. */
export const initdbArguments = (directory: string, major: number, fsync: boolean): ReadonlyArray<string> => [
  "-D",
  directory,
  "-U",
  superuserRole,
  "-E",
  "UTF8",
  ...(major >= builtinLocaleSince
    ? ["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"]
    : ["--locale=C.UTF-8"]),
  "--data-checksums",
  "-A",
  "peer",
  "--no-instructions",
  ...(fsync ? [] : ["--no-sync"])
]

/** Whether the layout has a complete cluster. */
export const exists = (layout: ServerLayout): boolean => existsSync(join(layout.data, "PG_VERSION"))

/** A start would make an empty database in the place of the lost one. */
export const lost = (path: string): EmbeddedPostgresError =>
  failure(
    "DataDirectoryGone",
    `${path} is gone, and the database with it`,
    "Bring the data directory back, for example by mounting its disk, and start again."
  )

/**
 * Creates the cluster when there is none, unless it must exist. When two processes create it at once, the first
 * one that renames its directory wins, and the cluster of the other is deleted.
 */
export const ensure = (
  layout: ServerLayout,
  account: ServerAccount,
  binaries: Binaries,
  options: { readonly fsync?: boolean; readonly existing?: boolean }
): Effect.Effect<void, EmbeddedPostgresError> =>
  Effect.gen(function* () {
    yield* attempt("sweeping unfinished clusters", () => sweep(layout))
    if (exists(layout)) return
    if (options.existing === true) return yield* lost(layout.data)
    const name = `init-${process.pid}-${randomUUID().slice(0, 8)}`
    yield* Effect.acquireUseRelease(
      attempt("making the cluster's directory", () => {
        unfinished.add(name)
        makeOwnDirectory(join(layout.root, name), account)
        return join(layout.root, name)
      }),
      (directory) => initialize(directory, layout, account, binaries, options.fsync !== false),
      (directory) =>
        Effect.ignore(
          attempt("sweeping an unfinished cluster", () => {
            unfinished.delete(name)
            for (const path of [directory, `${directory}.log`]) remove(path)
          })
        )
    )
  })

/** Creates a directory that only the server's account may enter. */
export const makeOwnDirectory = (path: string, account: ServerAccount): void => {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  if (account.switched) chownSync(path, account.uid, account.gid)
}

const initialize = Effect.fnUntraced(function* (
  directory: string,
  layout: ServerLayout,
  account: ServerAccount,
  binaries: Binaries,
  fsync: boolean
) {
  const child = yield* run({
    words: [
      ...launcher(account, binaries.privilege, "KILL"),
      join(binaries.binDir, "initdb"),
      ...initdbArguments(directory, binaries.major, fsync)
    ],
    env: binaries.env,
    log: `${directory}.log`,
    steps: [{ signal: "SIGKILL", wait: Duration.seconds(1) }]
  })
  const { code, signal } = yield* child.exited
  if (code !== 0) {
    return yield* failure(
      "InitFailed",
      `initdb ended with ${code ?? signal}`,
      "Check the free space and the rights of SIGNALBOX_DATA_DIR; nothing has to be removed before the next start.",
      logTail(`${directory}.log`)
    )
  }
  yield* attempt("putting the new cluster in place", () => {
    try {
      renameSync(directory, layout.data)
    } catch (cause) {
      if (!exists(layout)) throw cause
    }
    if (fsync) syncDirectory(layout.root)
  })
}, Effect.scoped)

/** Tries to delete an unfinished cluster, with 100 ms more between them each time: at most 5.5 s in all. */
const deleteTries = 10

/** A server that a killed initdb had started may still write for a moment, so the directory is not empty then. */
const remove = (path: string): void =>
  rmSync(path, { recursive: true, force: true, maxRetries: deleteTries, retryDelay: 100 })

const sweep = (layout: ServerLayout): void => {
  for (const name of readdirSync(layout.root)) {
    const maker = /^init-(\d+)-[0-9a-f]+/.exec(name)
    if (maker === null) continue
    const pid = Number(maker[1])
    // In a container the process id is often the same as before a restart, so the own id counts only for directories
    // created in this process.
    if (pid === process.pid ? unfinished.has(maker[0]) : isAlive(pid)) continue
    remove(join(layout.root, name))
  }
}

const syncDirectory = (path: string): void => {
  const descriptor = openSync(path, "r")
  fsyncSync(descriptor)
  closeSync(descriptor)
}

const attempt = <A>(what: string, body: () => A): Effect.Effect<A, EmbeddedPostgresError> =>
  Effect.try({ try: body, catch: fileSystemFailure(what) })
