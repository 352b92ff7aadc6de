/**
 * Kills server processes that survived their postmaster. Idle ones exit at once, but one that runs a long query
 * continues, and Postgres does not start beside it. Killing it loses nothing, because crash recovery runs anyway.
 * Source: Postgres manual, "Starting the Database Server"; src/backend/port/sysv_shmem.c for the error text.
 */
import { readdirSync, readFileSync, readlinkSync } from "node:fs"

/** Id of the shared memory segment named in the server's error; undefined for any other error. */
export const segmentInUse = (said: string): number | undefined => {
  const id = /pre-existing shared memory block \(key \d+, ID (\d+)\) is still in use/.exec(said)?.[1]
  return id === undefined ? undefined : Number(id)
}

/**
 * Sends SIGKILL to every process that works in the data directory and maps this segment. A running server uses a
 * different segment.
 */
export const killHolders = (data: string, segment: number): void => {
  for (const entry of readdirSync("/proc")) {
    if (!/^\d+$/.test(entry)) continue
    try {
      if (readlinkSync(`/proc/${entry}/cwd`) === data && holds(readFileSync(`/proc/${entry}/maps`, "utf8"), segment)) {
        process.kill(Number(entry), "SIGKILL")
      }
    } catch {
      // The process has exited, or belongs to another user.
    }
  }
}

/** Whether a memory map (proc_pid_maps(5)) contains the segment. System V shared memory shows its id as the inode. */
export const holds = (maps: string, segment: number): boolean =>
  maps.split("\n").some((line) => {
    const [, , , , inode, name] = line.split(/\s+/)
    return inode === String(segment) && name?.startsWith("/SYSV") === true
  })
