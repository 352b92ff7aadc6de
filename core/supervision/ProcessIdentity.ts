/**
 * Tells whether a process still runs. The operating system reuses process ids, above all after a boot, when the same
 * services start in the same order. So a process is identified by its id, its start time and the boot. Linux only.
 * Source: proc_pid_stat(5).
 */
import { readFileSync } from "node:fs"

/**
 * Whether a process with this id exists, including processes of other users and processes that have ended but were not
 * waited for. A later process with the same id counts.
 */
export const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // EPERM: a process of another user.
    return (error as NodeJS.ErrnoException).code !== "ESRCH"
  }
}

/** Fields of /proc/PID/stat after the command's name, up to the start time (field 22, counted from field 3). */
const startTimeField = 19

/** Identity of the running process with this id: boot and start time. Undefined: no such process, or not visible. */
export const identityOf = (pid: number): string | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    // The name of the command may contain spaces and parentheses.
    const startedAt = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[startTimeField]
    return `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()} ${startedAt}`
  } catch {
    return undefined
  }
}
