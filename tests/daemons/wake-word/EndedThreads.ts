/** A program that ends threads of wake-word while they load and use the ONNX runtime. Arguments: number of threads. */
import { Effect } from "effect"
import { once } from "node:events"
import { setTimeout } from "node:timers/promises"
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads"
import { endThread, nativeCallState } from "#core/supervision/NativeCalls.ts"
import { openExtractors } from "#daemons/wake-word/engine/Exports.ts"
import { clipRows } from "#protocols/wake-word/Features.ts"

/** Longest time that a thread works before its end, at random. Unit: milliseconds. Loading takes about 100 ms. */
const longest = 300

if (isMainThread) {
  for (let left = Number(process.argv[2]); left > 0; left--) {
    const calls = nativeCallState()
    const worker = new Worker(new URL(import.meta.url), { workerData: calls })
    worker.on("error", (error) => {
      throw error
    })
    await once(worker, "message")
    await setTimeout(Math.random() * longest)
    await endThread(worker, calls)
  }
  process.stdout.write("all threads ended\n")
} else {
  parentPort?.postMessage("started")
  const source = { chosen: "own", files: undefined } as const
  const open = Effect.flatMap(openExtractors(source, workerData as SharedArrayBuffer), ({ chosen }) => chosen)
  const extractor = await Effect.runPromise(open)
  for (;;) await clipRows(extractor, new Int16Array(16_000))
}
