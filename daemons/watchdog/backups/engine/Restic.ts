/**
 * The backup program restic (Debian's 0.14): its commands, its progress and its errors. It decides nothing about
 * schedules or contents. Source: restic(1), "Scripting" in the manual of 0.14.
 */
import { hostname } from "node:os"
import { Clock, Duration, Effect } from "effect"
import type { BackupSettings } from "../Settings.ts"
import { isAbandoned, type Lock } from "./Locks.ts"
import { outputOf, runProgram } from "./Programs.ts"
import { access, type Cache } from "./ResticAccess.ts"
import { reasonOf, ResticError } from "./ResticError.ts"

/** Snapshot as `restic snapshots --json` prints it. */
export interface Snapshot {
  readonly id: string
  readonly short_id: string
  readonly time: string
  readonly hostname: string
  readonly paths: ReadonlyArray<string>
  readonly tags?: ReadonlyArray<string> | null
}

export interface Summary {
  /** Begin of the snapshot's id: restic tells no more of it. */
  readonly shortId: string
  /** Bytes that were read, and bytes that the repository grew by before compression. */
  readonly size: number
  readonly added: number
  readonly files: number
  /** Files that could not be read. */
  readonly unreadable: ReadonlyArray<string>
}

export interface Progress {
  readonly done: number
  readonly total: number
}

export interface Entry {
  readonly path: string
  readonly type: string
  readonly size: number
}

export interface Restic {
  readonly init: Effect.Effect<void, ResticError>
  readonly snapshots: Effect.Effect<ReadonlyArray<Snapshot>, ResticError>
  /** Relative paths are below `cwd`, and lie at the top of the snapshot. */
  readonly backup: (options: {
    readonly cwd: string
    readonly paths: ReadonlyArray<string>
    readonly excludes: ReadonlyArray<string>
    readonly tags: ReadonlyArray<string>
    readonly onProgress: (progress: Progress) => void
  }) => Effect.Effect<Summary, ResticError>
  /** Restores into `target`. `include`: only these paths. `exclude`: all but these; restic takes one of both. */
  readonly restore: (options: {
    readonly snapshot: string
    readonly target: string
    readonly include?: ReadonlyArray<string>
    readonly exclude?: ReadonlyArray<string>
  }) => Effect.Effect<void, ResticError>
  readonly list: (snapshot: string, each: (entry: Entry) => void) => Effect.Effect<void, ResticError>
  /** What retention keeps and removes, for the snapshots with this tag. `dryRun`: removes nothing. */
  readonly forget: (options: {
    readonly tag: string
    readonly keep: Keep
    readonly dryRun: boolean
  }) => Effect.Effect<Forgotten, ResticError>
  readonly prune: Effect.Effect<void, ResticError>
  /** Verifies the structure, and the content of a share of the data. */
  readonly check: (percent: number) => Effect.Effect<void, ResticError>
  /**
   * Removes locks of programs of this machine that are dead, and locks that nobody renewed for half an hour. Returns
   * their number. The other functions do it by themselves when a lock refuses them.
   */
  readonly unlockOwn: Effect.Effect<number, ResticError>
}

export interface Keep {
  readonly daily: string
  readonly weekly: string
  readonly monthly: string
}

export interface Forgotten {
  readonly keep: ReadonlyArray<{ readonly snapshot: Snapshot; readonly reasons: ReadonlyArray<string> }>
  readonly remove: ReadonlyArray<Snapshot>
}

/** Exit code of a backup that left files out because they could not be read. Source: restic manual, "Exit status". */
const someUnreadable = 3

/** Number of unreadable files that are named. Reason: a few show the cause. */
const mostNamed = 20

/** Longest run of restic. Reason: a backup that takes a day is still running when the next one is due. */
const longest = Duration.hours(24)

/** Longest run that only reads lists. Reason: restic retries for about a minute before it gives a host up. */
const longestRead = Duration.minutes(3)

/** restic for the configured repository. */
export const make = (config: BackupSettings, cache: Cache = "data directory"): Restic => {
  if (config.repository === undefined || config.password === undefined) return unconfigured
  const { env, options, secrets } = access(config, cache)
  const program = { program: "restic", env, secrets, timeout: longest }
  const output = (args: ReadonlyArray<string>, timeout = longest) =>
    Effect.mapError(outputOf({ ...program, timeout, args: [...options, ...args] }), reasonOf)
  const read = <A>(args: ReadonlyArray<string>) =>
    Effect.map(output(args, longestRead), (text) => JSON.parse(text || "null") as A)

  const unlockOwn = Effect.gen(function* () {
    const ids = (yield* output(["list", "locks", "--no-lock", "--quiet"], longestRead))
      .split("\n")
      .filter((id) => id !== "")
    let dead = 0
    for (const id of ids) {
      const lock = yield* Effect.option(read<Lock>(["cat", "lock", id, "--no-lock", "--quiet"]))
      if (lock._tag === "Some" && isAbandoned(lock.value, yield* Clock.currentTimeMillis)) dead++
    }
    // `unlock` removes exactly these.
    if (dead > 0) yield* output(["unlock", "--quiet"], longestRead)
    return dead
  })

  /** A refusal by an abandoned lock is repeated without it. Looking for locks first would cost a second each time. */
  const locking = <A>(work: Effect.Effect<A, ResticError>) =>
    Effect.catchIf(
      work,
      ({ reason }) => reason === "Locked",
      (error) => Effect.flatMap(unlockOwn, (removed) => (removed > 0 ? work : Effect.fail(error)))
    )

  return {
    init: Effect.asVoid(output(["init", "--quiet"], longestRead)),
    snapshots: Effect.map(
      read<ReadonlyArray<Snapshot> | null>(["snapshots", "--json", "--no-lock"]),
      (found) => found ?? []
    ),
    backup: ({ cwd, excludes, onProgress, paths, tags }) =>
      locking(
        Effect.suspend(() => {
          let summary: ResticSummary | undefined
          const unreadable: Array<string> = []
          return runProgram({
            ...program,
            cwd,
            args: [
              ...options,
              "backup",
              "--json",
              `--host=${hostname()}`,
              ...tags.flatMap((tag) => ["--tag", tag]),
              ...excludes.flatMap((path) => ["--exclude", pattern(path)]),
              "--",
              ...paths
            ],
            accepted: [0, someUnreadable],
            onLine: (line) => {
              const said = message(line)
              if (said?.message_type === "status")
                onProgress({ done: said.bytes_done ?? 0, total: said.total_bytes ?? 0 })
              if (said?.message_type === "summary") summary = said as unknown as ResticSummary
            },
            onErrorLine: (line) => {
              const said = message(line)
              if (said?.message_type === "error" && unreadable.length < mostNamed)
                unreadable.push(said.item ?? "a file")
            }
          }).pipe(
            Effect.mapError(reasonOf),
            Effect.flatMap(() =>
              summary?.snapshot_id === undefined
                ? Effect.fail(new ResticError({ reason: "Failed", message: "restic reported no snapshot" }))
                : Effect.succeed(summary)
            ),
            Effect.map(({ data_added, snapshot_id, total_bytes_processed, total_files_processed }) => ({
              shortId: snapshot_id!,
              size: total_bytes_processed,
              added: data_added,
              files: total_files_processed,
              unreadable
            }))
          )
        })
      ),
    restore: ({ exclude = [], include = [], snapshot, target }) =>
      Effect.asVoid(
        locking(
          output([
            "restore",
            snapshot,
            "--verify",
            "--target",
            target,
            ...include.flatMap((path) => ["--include", pattern(path)]),
            ...exclude.flatMap((path) => ["--exclude", pattern(path)])
          ])
        )
      ),
    list: (snapshot, each) =>
      runProgram({
        ...program,
        args: [...options, "ls", "--json", "--no-lock", snapshot],
        onLine: (line) => {
          const entry = JSON.parse(line) as { struct_type?: string; path?: string; type?: string; size?: number }
          if (entry.struct_type === "node")
            each({ path: entry.path ?? "", type: entry.type ?? "", size: entry.size ?? 0 })
        }
      }).pipe(Effect.mapError(reasonOf), Effect.asVoid),
    forget: ({ dryRun, keep, tag }) =>
      Effect.map(
        locking(
          read<ReadonlyArray<ResticForget> | null>([
            "forget",
            "--json",
            // One group: otherwise snapshots of paths that are no longer saved would stay for ever.
            "--group-by=",
            "--tag",
            tag,
            "--keep-within-daily",
            keep.daily,
            "--keep-within-weekly",
            keep.weekly,
            "--keep-within-monthly",
            keep.monthly,
            ...(dryRun ? ["--dry-run", "--no-lock"] : [])
          ])
        ),
        (groups) => ({
          // `reasons` has the order of `keep`; its own snapshots lack their ids.
          keep: (groups ?? []).flatMap(({ keep, reasons }) =>
            (keep ?? []).map((snapshot, at) => ({ snapshot, reasons: reasons?.[at]?.matches ?? [] }))
          ),
          remove: (groups ?? []).flatMap(({ remove }) => remove ?? [])
        })
      ),
    prune: Effect.asVoid(locking(output(["prune", "--quiet"]))),
    check: (percent) => Effect.asVoid(locking(output(["check", `--read-data-subset=${percent}%`]))),
    unlockOwn
  }
}

interface ResticSummary {
  readonly snapshot_id?: string
  readonly total_bytes_processed: number
  readonly total_files_processed: number
  readonly data_added: number
}

interface ResticForget {
  readonly keep: ReadonlyArray<Snapshot> | null
  readonly remove: ReadonlyArray<Snapshot> | null
  readonly reasons: ReadonlyArray<{ readonly matches: ReadonlyArray<string> | null }> | null
}

interface Message {
  readonly message_type?: string
  readonly bytes_done?: number
  readonly total_bytes?: number
  readonly item?: string
}

/** A path as restic's pattern that matches nothing else. */
const pattern = (path: string) => path.replace(/[\\*?[\]]/g, "\\$&")

const message = (line: string): Message | undefined => {
  try {
    return JSON.parse(line) as Message
  } catch {
    return undefined
  }
}

const missing = Effect.fail(
  new ResticError({ reason: "NotConfigured", message: "SIGNALBOX_BACKUP_REPOSITORY is not set" })
)

const unconfigured: Restic = {
  init: missing,
  snapshots: missing,
  backup: () => missing,
  restore: () => missing,
  list: () => missing,
  forget: () => missing,
  prune: missing,
  check: () => missing,
  unlockOwn: missing
}
