import { expect, it } from "vitest"
import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

/** Number of threads to end. Reason: with a plain `terminate`, one of the first three ends the whole process. */
const threads = 6

/** Phases that are ended. Reason: without care the process ended with the first one; each starts three threads. */
const phases = 2

const run = (file: string, count: number) =>
  promisify(execFile)(process.execPath, [fileURLToPath(new URL(file, import.meta.url)), String(count)])

it("ending a thread that uses the ONNX runtime does not end the process", { timeout: 60_000 }, async () => {
  expect(await run("EndedThreads.ts", threads)).toEqual({ stderr: "", stdout: "all threads ended\n" })
})

it("cancelling a phase whose threads use the ONNX runtime does not end the process", { timeout: 120_000 }, async () => {
  expect(await run("EndedPhases.ts", phases)).toEqual({ stderr: "", stdout: "all phases ended\n" })
})
