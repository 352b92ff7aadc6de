/**
 * The threads of inference of one process. Streams are spread over the threads; each thread computes the steps of its
 * streams in batches. Threads start with the first stream and end after an idle time.
 */
import { Worker } from "node:worker_threads"
import { endThread, nativeCallState } from "#core/supervision/NativeCalls.ts"
import { entry, threadEnvironment } from "#core/supervision/WorkerThreads.ts"
import type { ExtractorSource } from "../../engine/Exports.ts"
import { AudioRing, stepBytes } from "./AudioRing.ts"
import type { FromThread, ThreadStart, ToThread, Wake } from "./Messages.ts"

/** Heap of a thread. Unit: MiB. Reason: the buffers of the streams are outside of it. */
const heap = 256

/** Time after which threads without a stream end. Unit: milliseconds. */
export const idleTime = 600_000

/** Wait for steps of other streams. Unit: milliseconds. Reason: a message costs as much as a step. */
const gatherTime = 2

/** Pause before a crashed thread starts again. Unit: milliseconds. Reason: a crash at every start must not spin. */
const restartPause = 2_000

export interface ThreadEvents {
  /** There is room again for the audio of this stream. */
  readonly room: (stream: number) => void
  readonly wake: (wake: Wake) => void
  /** These streams have ended, because their thread crashed or could not compute. */
  readonly broken: (streams: ReadonlyArray<number>, problem: string) => void
  /** The model is loaded in a thread, or cannot be. */
  readonly model: (key: string, problem: string | undefined) => void
}

interface Thread {
  readonly worker: Worker
  readonly calls: SharedArrayBuffer
  readonly streams: Map<number, string>
  /** Models by key: whether they are loaded. */
  readonly models: Map<string, boolean>
  /** Streams with a complete step that the thread does not know of. */
  readonly pending: Set<number>
}

interface Stream {
  readonly thread: Thread
  readonly audio: AudioRing
  /** Audio for which the ring had no room. */
  readonly rest: Array<Uint8Array>
  /** Audio in the ring behind its last complete step. Unit: bytes. */
  partial: number
}

export interface ModelFile {
  readonly key: string
  readonly file: Uint8Array
  readonly threshold: number
}

export class InferenceThreads {
  readonly #source: ExtractorSource
  readonly #most: number
  readonly #events: ThreadEvents
  readonly #threads = new Set<Thread>()
  readonly #of = new Map<number, Stream>()
  #restartAt = 0
  #idleSince: number | undefined
  #stopped = false
  /** Why no model can run in this process; undefined: none is known. */
  problem: string | undefined

  constructor(source: ExtractorSource, most: number, events: ThreadEvents) {
    this.#source = source
    this.#most = most
    this.#events = events
  }

  get alive(): number {
    return this.#threads.size
  }

  /** Begins a stream with this model. False: no thread can be started now. */
  begin(stream: number, model: ModelFile): boolean {
    const thread = this.#free()
    if (thread === undefined) return false
    thread.streams.set(stream, model.key)
    const audio = new AudioRing()
    this.#of.set(stream, { thread, audio, rest: [], partial: 0 })
    this.#give(thread, model)
    this.#send(thread, { kind: "begin", stream, key: model.key, audio: audio.shared })
    return true
  }

  /** Starts a thread and loads the model, so that the next stream is served at once. */
  warm(model: ModelFile): void {
    const thread = this.#threads.values().next().value ?? this.#spawn()
    if (thread !== undefined) this.#give(thread, model)
  }

  /**
   * Adds audio, which the caller must not change later. False: too much waits, and `events.room` tells when the caller
   * may add more.
   */
  audio(stream: number, bytes: Uint8Array): boolean {
    const found = this.#of.get(stream)
    if (found === undefined) return true
    if (found.rest.length > 0) {
      found.rest.push(bytes)
      return false
    }
    const taken = this.#write(stream, found, bytes)
    if (taken === bytes.length) return true
    found.rest.push(bytes.subarray(taken))
    return !found.audio.awaitRoom() && this.#refill(stream, found)
  }

  /** Steps of the stream that are computed. */
  computed(stream: number): number {
    return this.#of.get(stream)?.audio.computed ?? 0
  }

  /** Loads the model where streams are; `events.model` tells of each thread. */
  load(model: ModelFile): void {
    for (const thread of this.#threads) this.#give(thread, model)
  }

  /** Gives the streams another model, between two of their steps. Its thread must have loaded it. */
  use(stream: number, key: string): void {
    const thread = this.#of.get(stream)?.thread
    if (thread === undefined) return
    thread.streams.set(stream, key)
    this.#send(thread, { kind: "use", stream, key })
  }

  /** Whether the thread of the stream has loaded the model. */
  has(stream: number, key: string): boolean {
    return this.#of.get(stream)?.thread.models.get(key) === true
  }

  end(stream: number): void {
    const thread = this.#of.get(stream)?.thread
    if (thread === undefined) return
    this.#forget(stream)
    this.#send(thread, { kind: "end", stream })
  }

  /** Forgets models that are not in `kept`, and ends threads that were idle for long. */
  tidy(kept: ReadonlySet<string>, now: number): void {
    for (const thread of this.#threads) {
      const used = new Set(thread.streams.values())
      for (const key of thread.models.keys()) {
        if (kept.has(key) || used.has(key)) continue
        thread.models.delete(key)
        this.#send(thread, { kind: "drop", key })
      }
    }
    if (this.#of.size > 0 || this.#threads.size === 0) this.#idleSince = undefined
    else if (now - (this.#idleSince ??= now) > idleTime) for (const thread of this.#threads) this.#remove(thread)
  }

  async close(): Promise<void> {
    this.#stopped = true
    await Promise.all(Array.from(this.#threads, ({ calls, worker }) => endThread(worker, calls)))
  }

  /** The thread with the fewest streams; a new one while there are fewer than allowed. */
  #free(): Thread | undefined {
    const least = Array.from(this.#threads).sort((a, b) => a.streams.size - b.streams.size)[0]
    if (this.#threads.size < this.#most && (least === undefined || least.streams.size > 0))
      return this.#spawn() ?? least
    return least
  }

  #spawn(): Thread | undefined {
    if (this.#stopped || Date.now() < this.#restartAt) return undefined
    const calls = nativeCallState()
    const worker = new Worker(entry("listenWorker", import.meta.url), {
      execArgv: [],
      env: threadEnvironment(),
      workerData: { source: this.#source, calls } satisfies ThreadStart,
      resourceLimits: { maxOldGenerationSizeMb: heap }
    })
    const thread: Thread = { worker, calls, streams: new Map(), models: new Map(), pending: new Set() }
    let why = "the thread ended"
    worker.on("message", (message: FromThread) => this.#heard(thread, message))
    worker.on("error", (error) => void (why = error.message))
    worker.on("exit", () => {
      if (!this.#threads.has(thread)) return
      this.#restartAt = Date.now() + restartPause
      this.#lost(thread, why)
      this.#threads.delete(thread)
    })
    // Streams keep the process alive, not their threads.
    worker.unref()
    this.#threads.add(thread)
    return thread
  }

  #remove(thread: Thread): void {
    this.#threads.delete(thread)
    void endThread(thread.worker, thread.calls)
  }

  #heard(thread: Thread, message: FromThread): void {
    if (message.kind === "started") this.problem = message.problem
    else if (message.kind === "model") {
      if (message.problem === undefined) thread.models.set(message.key, true)
      else thread.models.delete(message.key)
      this.#events.model(message.key, message.problem)
    } else if (message.kind === "broken") {
      for (const stream of message.streams) this.#forget(stream)
      this.#events.broken(message.streams, message.problem)
    } else if (message.kind === "wakes") for (const wake of message.wakes) this.#events.wake(wake)
    else
      for (const stream of message.streams) {
        const found = this.#of.get(stream)
        if (found !== undefined && this.#refill(stream, found)) this.#events.room(stream)
      }
  }

  #lost(thread: Thread, why: string): void {
    const streams = [...thread.streams.keys()]
    for (const stream of streams) this.#forget(stream)
    this.#events.broken(streams, why)
  }

  #forget(stream: number): void {
    const thread = this.#of.get(stream)?.thread
    thread?.streams.delete(stream)
    thread?.pending.delete(stream)
    this.#of.delete(stream)
  }

  #give(thread: Thread, { file, key, threshold }: ModelFile): void {
    if (thread.models.has(key)) return
    thread.models.set(key, false)
    this.#send(thread, { kind: "model", key, file, threshold })
  }

  /** Writes to the ring. Returns the number of bytes that fitted. */
  #write(id: number, stream: Stream, bytes: Uint8Array): number {
    const taken = stream.audio.write(bytes)
    stream.partial += taken
    if (stream.partial < stepBytes) return taken
    stream.partial %= stepBytes
    if (!stream.audio.wakes()) return taken
    const { thread } = stream
    if (thread.pending.size === 0) setTimeout(() => this.#flush(thread), gatherTime)
    thread.pending.add(id)
    return taken
  }

  /** Writes audio that waited for room. False: some still waits. */
  #refill(id: number, stream: Stream): boolean {
    for (let bytes = stream.rest.shift(); bytes !== undefined;) {
      const taken = this.#write(id, stream, bytes)
      if (taken === bytes.length) bytes = stream.rest.shift()
      else {
        bytes = bytes.subarray(taken)
        if (!stream.audio.awaitRoom()) continue
        stream.rest.unshift(bytes)
        return false
      }
    }
    return true
  }

  #flush(thread: Thread): void {
    if (thread.pending.size === 0) return
    this.#send(thread, { kind: "audio", streams: [...thread.pending] })
    thread.pending.clear()
  }

  #send(thread: Thread, message: ToThread): void {
    thread.worker.postMessage(message)
  }
}
