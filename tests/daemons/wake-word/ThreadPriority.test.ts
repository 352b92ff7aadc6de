import { getPriority } from "node:os"
import { Worker } from "node:worker_threads"
import { once } from "node:events"
import { expect, it } from "vitest"

/** Priorities of the thread and of a program that it starts, before and after. */
const code = `
const { parentPort } = require("node:worker_threads")
const { readlinkSync } = require("node:fs")
const { execFileSync } = require("node:child_process")
const { getPriority } = require("node:os")
const mine = () => getPriority(Number(readlinkSync("/proc/thread-self").split("/").at(-1)))
import(${JSON.stringify(new URL("../../../daemons/wake-word/engine/ThreadPriority.ts", import.meta.url).href)}).then(
  ({ setThreadNiceness }) => {
    const before = mine()
    const done = setThreadNiceness(19)
    parentPort.postMessage([before, done, mine(), Number(execFileSync("nice").toString())])
  }
)`

it("lowers the priority of the thread and of its programs, not of the process", async () => {
  const process = getPriority()
  const worker = new Worker(code, { eval: true })
  const [seen] = await once(worker, "message")
  await worker.terminate()
  expect(seen).toEqual([process, true, 19, 19])
  expect(getPriority()).toBe(process)
})
