import { expect, it } from "vitest"
import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

/** Threads that are ended. Reason: without care the process ended with one of the first three. */
const threads = 12

it("ending a thread that uses the ONNX runtime does not end the process", { timeout: 60_000 }, async () => {
  const program = fileURLToPath(new URL("EndedThreads.ts", import.meta.url))
  const { stderr, stdout } = await promisify(execFile)(process.execPath, [program, String(threads)])
  expect(stderr).toBe("")
  expect(stdout).toBe("all threads ended\n")
})
