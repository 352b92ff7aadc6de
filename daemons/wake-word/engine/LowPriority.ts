/** Lowers the priority of a thread. */
import { readlinkSync } from "node:fs"
import { constants, setPriority } from "node:os"

/**
 * Gives the calling thread, and the programs that it starts, the lowest priority. On Linux a thread has a priority of
 * its own. Returns false where that is not possible.
 */
export const lowPriority = (): boolean => {
  try {
    // `<process>/task/<thread>`. Source: proc(5).
    const thread = Number(readlinkSync("/proc/thread-self").split("/").at(-1))
    setPriority(thread, constants.priority.PRIORITY_LOW)
    return true
  } catch {
    return false
  }
}
