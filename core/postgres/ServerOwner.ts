/**
 * Gives the server an account of its own when the suite runs as root: creates the account, and moves a cluster that an
 * earlier version ran as `postgres` or `nobody`. Processes of these accounts could read the files and kill the server.
 */
import { spawnSync } from "node:child_process"
import { chmodSync, chownSync, lchownSync, lstatSync, readdirSync, readlinkSync } from "node:fs"
import { join } from "node:path"
import { Effect, Result } from "effect"
import { type EmbeddedPostgresError, failure, fileSystemFailure } from "./EmbeddedPostgresError.ts"
import { chooseAccount, isShared, ownAccountName, readAccounts, type ServerAccount } from "./ServerAccount.ts"
import type { ServerLayout } from "./ServerLayout.ts"

/** Time limit for the program that creates the account. Unit: milliseconds. */
const creationTimeout = 10_000

/** Chooses the account of the server, and moves the files to it when they belong to another one. */
export const prepare = (
  layout: ServerLayout,
  sharedSocketDir: string | undefined
): Effect.Effect<{ readonly ours: string; readonly account: ServerAccount }, EmbeddedPostgresError> =>
  Effect.gen(function* () {
    let accounts = yield* Effect.fromResult(readAccounts())
    const dataOwner = lstatSync(layout.data, { throwIfNoEntry: false })
    // A directory that another user made belongs to a suite of that user, which root only borrows.
    const mayMove = accounts.ours.uid === 0 && lstatSync(layout.root).uid === 0
    const choose = () => chooseAccount({ ...accounts, dataOwner, mayMove })
    if (mayMove && Result.match(choose(), { onSuccess: isShared, onFailure: () => true })) {
      yield* createAccount
      accounts = yield* Effect.fromResult(readAccounts())
    }
    const account = yield* Effect.fromResult(choose())
    const ours = accounts.ours.name
    if (dataOwner === undefined || dataOwner.uid === account.uid || !account.switched) return { ours, account }
    const former = new Set(
      [...accounts.known.filter(isShared).map(({ uid }) => uid), dataOwner.uid].filter((uid) => uid !== 0)
    )
    const moved = yield* Effect.try({
      try: () => move(layout, sharedSocketDir, former, account),
      catch: fileSystemFailure(`giving the database files to '${account.name}'`)
    })
    if (moved !== undefined) {
      if (dataOwner.uid === 0) return yield* moved
      yield* Effect.logWarning(`the database files keep their owner until the next start: ${moved.detail}`)
      return { ours, account: yield* Effect.fromResult(chooseAccount({ ...accounts, dataOwner })) }
    }
    yield* Effect.logInfo(`the database files now belong to the account ${account.name}`)
    return { ours, account }
  })

/** Creates the account as the installation of a package does. Where that fails, a shared account is used. */
const createAccount = Effect.suspend(() => {
  const words = ["--system", "--user-group", "--no-create-home", "--home-dir", "/nonexistent"]
  const done = spawnSync("useradd", [...words, "--shell", "/usr/sbin/nologin", ownAccountName], {
    encoding: "utf8",
    timeout: creationTimeout
  })
  if (done.status === 0) return Effect.logInfo(`created the system account ${ownAccountName} for the embedded Postgres`)
  const known = Result.match(readAccounts(), { onSuccess: ({ known }) => known, onFailure: () => [] })
  // Another process of the suite was faster.
  if (known.some(({ name }) => name === ownAccountName)) return Effect.void
  const why = done.error?.message ?? done.stderr.trim()
  return Effect.logWarning(
    `the account ${ownAccountName} cannot be created, so the embedded Postgres runs as one of other programs: ${why}`
  )
})

/**
 * Gives the files of a stopped server to another account. Meanwhile the directory belongs to root and is closed, so
 * nobody can exchange a file, and a killed move continues at the next start. Returns why the files were not moved.
 */
const move = (
  layout: ServerLayout,
  sharedSocketDir: string | undefined,
  former: ReadonlySet<number>,
  account: ServerAccount
): EmbeddedPostgresError | undefined => {
  const before = lstatSync(layout.data)
  chownSync(layout.data, 0, 0)
  chmodSync(layout.data, 0o700)
  const holder = holderOf(layout.data)
  if (holder !== undefined) {
    chownSync(layout.data, before.uid, before.gid)
    return failure(
      "StartFailed",
      `process ${holder} still uses ${layout.data}`,
      "It is left from a killed server. The next start tries again."
    )
  }
  for (const directory of [layout.socketDir, sharedSocketDir]) {
    if (directory !== undefined) giveSocketDirectory(directory, former, account)
  }
  giveContent(layout.data, account)
  lchownSync(layout.data, account.uid, account.gid)
  return undefined
}

/** Gives everything in a directory to the account. A link is not followed. */
const giveContent = (directory: string, account: ServerAccount): void => {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name)
    if (entry.isDirectory()) giveContent(path, account)
    // A second name of a file elsewhere would give that file away. Postgres makes none.
    else if (lstatSync(path).nlink > 1) throw new Error(`${path} has another name (hard link)`)
    lchownSync(path, account.uid, account.gid)
  }
}

/** Gives away a directory of the former account, with the socket and its lock file. */
const giveSocketDirectory = (directory: string, former: ReadonlySet<number>, { gid, uid }: ServerAccount): void => {
  const owner = lstatSync(directory, { throwIfNoEntry: false })?.uid
  if (owner === undefined || !former.has(owner)) return
  for (const name of readdirSync(directory)) {
    if (name.startsWith(".s.PGSQL.")) lchownSync(join(directory, name), uid, gid)
  }
  lchownSync(directory, uid, gid)
}

/** A process that works in the directory or has one of its files open. */
const holderOf = (directory: string): number | undefined => {
  const isInside = (link: string) => {
    try {
      const path = readlinkSync(link)
      return path === directory || path.startsWith(`${directory}/`)
    } catch {
      // The process or the descriptor is gone.
      return false
    }
  }
  for (const pid of readdirSync("/proc")) {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) continue
    if (isInside(`/proc/${pid}/cwd`)) return Number(pid)
    if (descriptorsOf(pid).some((descriptor) => isInside(`/proc/${pid}/fd/${descriptor}`))) return Number(pid)
  }
  return undefined
}

const descriptorsOf = (pid: string): ReadonlyArray<string> => {
  try {
    return readdirSync(`/proc/${pid}/fd`)
  } catch {
    return []
  }
}
