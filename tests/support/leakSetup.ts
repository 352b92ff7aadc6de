/**
 * Setup of files that share worker processes: fails a file that leaves something behind for the next one. Compares
 * after the file's last test with the state after its imports.
 */
import { afterAll, beforeAll } from "vitest"
import { differences, type ProcessState, readState, recordTimers } from "./ProcessState.ts"

/** Time for timers and handles of the last test to end. Unit: milliseconds. */
const grace = 2_000

const recording = Symbol.for("signalbox.test.recording")
const worker = globalThis as { [recording]?: true }
if (worker[recording] === undefined) {
  worker[recording] = true
  recordTimers()
}

let before: ProcessState | undefined
beforeAll(() => {
  before = readState()
})
afterAll(async () => {
  const deadline = Date.now() + grace
  for (;;) {
    const left = before === undefined ? [] : differences(before, readState())
    if (left.length === 0) return
    if (Date.now() > deadline) throw new Error(`this file leaves behind: ${left.join(", ")}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
})
