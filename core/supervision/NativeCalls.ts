/**
 * Ends a thread between its native calls. `Worker.terminate` makes the next call from native code into V8 fail, and an
 * addon that does not expect this ends the whole process: onnxruntime-node prints "terminate called after throwing an
 * instance of 'Napi::Error'". A thread therefore says in shared memory when it is in a native call, and who ends it
 * waits for the end of this call.
 */
import { once } from "node:events"
import type { Worker } from "node:worker_threads"

/** No native call is running. */
const free = 0
/** At least one native call is running. */
const calling = 1
/** A native call is running, and the thread shall end after it. */
const leaving = 2
/** The thread makes no native call any more. */
const ended = 3

/** Memory of one thread, to be given to `nativeCalls` in the thread and to `endThread`. */
export const nativeCallState = (): SharedArrayBuffer => new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)

/** For the thread: to be put around every native call. In a thread that shall end, a call neither begins nor ends. */
export const nativeCalls = (memory: SharedArrayBuffer): (<A>(call: () => Promise<A>) => Promise<A>) => {
  const state = new Int32Array(memory)
  let running = 0
  // The thread stops here until it is terminated.
  const rest = () => Atomics.wait(state, 0, ended)
  return async (call) => {
    if (running === 0 && Atomics.compareExchange(state, 0, free, calling) !== free) rest()
    if (Atomics.load(state, 0) === leaving) return new Promise(() => undefined)
    running++
    try {
      return await call()
    } finally {
      running--
      if (running === 0 && Atomics.compareExchange(state, 0, calling, free) === leaving) {
        Atomics.store(state, 0, ended)
        Atomics.notify(state, 0)
        rest()
      }
    }
  }
}

/**
 * Terminates a thread. Waits for the end of its native call, if it is in one; JavaScript that runs in the thread is
 * interrupted at once. Resolves when the thread has ended.
 */
export const endThread = async (worker: Worker, memory: SharedArrayBuffer): Promise<void> => {
  const state = new Int32Array(memory)
  if (worker.threadId === -1) return
  worker.ref()
  const exit = new AbortController()
  const gone = once(worker, "exit", { signal: exit.signal }).catch(() => undefined)
  if (Atomics.compareExchange(state, 0, free, ended) !== free) {
    Atomics.compareExchange(state, 0, calling, leaving)
    // The call may have ended in between.
    if (Atomics.compareExchange(state, 0, free, ended) !== free)
      await Promise.race([gone, Atomics.waitAsync(state, 0, leaving).value])
  }
  exit.abort()
  await worker.terminate()
}
