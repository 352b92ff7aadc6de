import { afterEach, describe, expect, it } from "vitest"
import { Worker } from "node:worker_threads"
import { endThread, nativeCallState } from "#core/supervision/NativeCalls.ts"

/** Numbers that a thread writes: calls that began, calls that ended, and a sign to go on. */
const [began, finished, goOn] = [0, 1, 2] as const

/** A thread that makes one call, or many, or computes without end. */
const file = new URL(
  `data:text/javascript,${encodeURIComponent(`
  import { workerData } from "node:worker_threads"
  const { does, memory, module, seen } = workerData
  const { nativeCalls } = await import(module)
  const around = nativeCalls(memory)
  const call = (hold) => around(async () => {
    Atomics.add(seen, ${began}, 1)
    Atomics.notify(seen, ${began})
    if (hold) Atomics.wait(seen, ${goOn}, 0)
    await new Promise((resolve) => setImmediate(resolve))
    Atomics.add(seen, ${finished}, 1)
  })
  if (does === "hold") { await call(true); for (;;) await call(false) }
  if (does === "two") await Promise.all([call(true), call(false)])
  if (does === "die") { void call(false); process.exit(1) }
  if (does === "many") for (;;) await call(false)
  if (does === "spin") { await call(false); for (;;); }
  `)}`
)

const start = (does: string) => {
  const memory = nativeCallState()
  const seen = new Int32Array(new SharedArrayBuffer(12))
  const module = new URL("../../../core/supervision/NativeCalls.ts", import.meta.url).href
  const worker = new Worker(file, { workerData: { does, memory, module, seen } })
  workers.push(worker)
  return { memory, seen, worker, began: () => Atomics.waitAsync(seen, began, 0).value }
}
const workers: Array<Worker> = []
afterEach(() => Promise.all(workers.splice(0).map((worker) => worker.terminate())))

describe("the end of a thread", () => {
  for (const does of ["hold", "two"])
    it(`waits for the end of a native call: ${does}`, async () => {
      const thread = start(does)
      await thread.began()
      let over = false
      const end = endThread(thread.worker, thread.memory).then(() => (over = true))
      await new Promise((resolve) => setTimeout(resolve, 50))
      expect(over).toBe(false)
      Atomics.store(thread.seen, goOn, 1)
      Atomics.notify(thread.seen, goOn)
      await end
      // A call that had not begun does not begin.
      expect([...thread.seen]).toEqual([1, 1, 1])
    })

  it("never comes during a call", async () => {
    for (let round = 0; round < 20; round++) {
      const { began, memory, seen, worker } = start("many")
      await began()
      await endThread(worker, memory)
      expect(seen[0]).toBe(seen[1])
    }
  }, 120_000)

  it("does not wait for JavaScript that computes without end", async () => {
    const { began, memory, worker } = start("spin")
    await began()
    await endThread(worker, memory)
    expect(worker.threadId).toBe(-1)
  })

  it("comes at once for a thread that has ended, or ends during a call", async () => {
    const { memory, worker } = start("die")
    await endThread(worker, memory)
    await endThread(worker, memory)
    expect(worker.threadId).toBe(-1)
  })

  it("may be asked for twice", async () => {
    const { began, memory, seen, worker } = start("many")
    await began()
    await Promise.all([endThread(worker, memory), endThread(worker, memory)])
    expect(seen[0]).toBe(seen[1])
  })
})
