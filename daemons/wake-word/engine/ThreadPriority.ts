/** Priority of a thread. */
import { readlinkSync } from "node:fs"
import { setPriority } from "node:os"

/**
 * Gives the calling thread, and the programs that it starts, this niceness: 0 is normal, 19 the lowest priority. On
 * Linux a thread has a priority of its own. Returns false where that is not possible.
 */
export const setThreadNiceness = (niceness: number): boolean => {
  try {
    // `<process>/task/<thread>`. Source: proc(5).
    setPriority(Number(readlinkSync("/proc/thread-self").split("/").at(-1)), niceness)
    return true
  } catch {
    return false
  }
}
