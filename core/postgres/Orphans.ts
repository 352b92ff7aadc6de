/**
 * Server processes that outlived their postmaster. Idle ones notice at once and end; one busy with a long query does
 * not, and Postgres rightly refuses to start beside it. Killing it loses nothing: recovery has to run anyhow. Source:
 * Postgres manual, "Starting the Database Server", and src/backend/port/sysv_shmem.c for the complaint.
 */
import { readdirSync, readFileSync, readlinkSync } from "node:fs"

/** The shared memory segment a starting server complains about, undefined when it complains about something else. */
export const segmentInUse = (said: string): number | undefined => {
  const id = /pre-existing shared memory block \(key \d+, ID (\d+)\) is still in use/.exec(said)?.[1]
  return id === undefined ? undefined : Number(id)
}

/**
 * SIGKILL to every process that works in the data directory and has that segment. A living postmaster's family has
 * another one.
 */
export const killHolders = (data: string, segment: number): void => {
  for (const entry of readdirSync("/proc")) {
    if (!/^\d+$/.test(entry)) continue
    try {
      if (readlinkSync(`/proc/${entry}/cwd`) === data && holds(readFileSync(`/proc/${entry}/maps`, "utf8"), segment)) {
        process.kill(Number(entry), "SIGKILL")
      }
    } catch {
      // Gone meanwhile, or not ours to look at.
    }
  }
}

/** Whether a memory map (proc_pid_maps(5)) has the segment; System V shared memory shows its id as the inode. */
export const holds = (maps: string, segment: number): boolean =>
  maps.split("\n").some((line) => {
    const [, , , , inode, name] = line.split(/\s+/)
    return inode === String(segment) && name?.startsWith("/SYSV") === true
  })
