/**
 * Reads postmaster.pid, by which Postgres locks a data directory. We read it to adopt a running server. We delete it
 * only when it would mislead Postgres, for example when an unrelated process has the recorded process id after a power
 * cut. Source: Postgres src/include/utils/pidfile.h.
 */
import { linkSync, readFileSync, readlinkSync, realpathSync, renameSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"
import { isAlive } from "../supervision/ProcessIdentity.ts"

export interface PostmasterFile {
  readonly pid: number
  /** Directory of the socket; empty early in the server's start. */
  readonly socketDir: string
}

/**
 * Parses the file. Undefined without a complete first line (the file is being written, or is empty after a power cut).
 */
export const parse = (text: string): PostmasterFile | undefined => {
  const lines = text.split("\n")
  const pid = Number(lines[0])
  return Number.isInteger(pid) && pid > 0 ? { pid, socketDir: lines[4] ?? "" } : undefined
}

/** Reads postmaster.pid of a data directory; undefined when there is none. */
export const read = (data: string): PostmasterFile | undefined => {
  const text = readIfThere(join(data, "postmaster.pid"))
  return text === undefined ? undefined : parse(text)
}

/** Whether the process is a running server of this data directory, which is the working directory of its postmaster. */
export const isServing = (pid: number, data: string): boolean => {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(data)
  } catch (cause) {
    // The process is gone or a zombie (ENOENT), or belongs to another user, whose processes only show their name.
    return isCode(cause, "EACCES") && readIfThere(`/proc/${pid}/comm`)?.trim() === "postgres"
  }
}

/**
 * A lock file that is empty for longer than this is abandoned. Unit: milliseconds. Reason: Postgres writes the process
 * id right after creating the file. A kill or power cut in between leaves an empty file, which prevents every later
 * start.
 */
export const namedWithin = 1_000

/**
 * Deletes lock files that name a running process which is not the server, and lock files without a process id. Postgres
 * itself handles those of dead processes.
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
      // Another starter replaced the file since it was read: restore it.
      if (readIfThere(aside) !== text || changedAt(aside) !== changed) linkSync(aside, path)
    } catch (cause) {
      if (!isCode(cause, "ENOENT") && !isCode(cause, "EEXIST")) throw cause
    } finally {
      rmSync(aside, { force: true })
    }
  }
}

/** Time of the last change, epoch milliseconds; the current time when the file is gone. */
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
