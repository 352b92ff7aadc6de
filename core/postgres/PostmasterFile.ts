/**
 * postmaster.pid: who serves a data directory. Postgres itself arbitrates by it; we read it to adopt a live server, and
 * take it away only where Postgres would be misled (after a power cut the process id may belong to a stranger by now).
 * Source: Postgres src/include/utils/pidfile.h.
 */
import { linkSync, readFileSync, readlinkSync, realpathSync, renameSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"

export interface PostmasterFile {
  readonly pid: number
  /** Directory of the socket; empty until the server has got that far. */
  readonly socketDir: string
}

/** Undefined for what is no complete first line (the file is being written, or empty after a power cut). */
export const parse = (text: string): PostmasterFile | undefined => {
  const lines = text.split("\n")
  const pid = Number(lines[0])
  return Number.isInteger(pid) && pid > 0 ? { pid, socketDir: lines[4] ?? "" } : undefined
}

/** The postmaster.pid of a data directory, undefined when there is none. */
export const read = (data: string): PostmasterFile | undefined => {
  const text = readIfThere(join(data, "postmaster.pid"))
  return text === undefined ? undefined : parse(text)
}

/**
 * Whether the process is a live server of that data directory: a postmaster's working directory is its data directory.
 */
export const isServing = (pid: number, data: string): boolean => {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(data)
  } catch (cause) {
    // Gone or a zombie (ENOENT), else another user's process whose name is all we may see.
    return isCode(cause, "EACCES") && readIfThere(`/proc/${pid}/comm`)?.trim() === "postgres"
  }
}

/**
 * By then a lock file names its process. Unit: milliseconds. Reason: Postgres writes that in the call behind the one
 * that makes the file; one that is killed in between, or loses its power, leaves an empty file, over which no later
 * server starts.
 */
export const namedWithin = 1_000

/**
 * Takes away lock files that name a living process which is not the server, and those that name nobody. Those of dead
 * processes Postgres handles itself.
 */
export const removeMisleading = (data: string, socketLock: string): void => {
  for (const path of [join(data, "postmaster.pid"), socketLock]) {
    const text = readIfThere(path)
    if (text === undefined) continue
    const named = parse(text)
    const changed = changedAt(path)
    if (
      named === undefined
        ? Math.abs(Date.now() - changed) <= namedWithin
        : !isAlive(named.pid) || isServing(named.pid, data)
    )
      continue
    const aside = `${path}.stale-${process.pid}`
    try {
      renameSync(path, aside)
      // Another starter may have put its own file there since we looked: give it back.
      if (readIfThere(aside) !== text || changedAt(aside) !== changed) linkSync(aside, path)
    } catch (cause) {
      if (!isCode(cause, "ENOENT") && !isCode(cause, "EEXIST")) throw cause
    } finally {
      rmSync(aside, { force: true })
    }
  }
}

/** Whether any process has that id; one we may not signal counts. */
export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (cause) {
    return !isCode(cause, "ESRCH")
  }
}

/** Unit: epoch milliseconds; of a file that is gone, now. */
const changedAt = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()

const readIfThere = (path: string): string | undefined => {
  try {
    return readFileSync(path, "utf8")
  } catch (cause) {
    if (isCode(cause, "ENOENT") || isCode(cause, "ESRCH")) return undefined
    throw cause
  }
}

const isCode = (cause: unknown, code: string): boolean =>
  cause instanceof Error && "code" in cause && cause.code === code
