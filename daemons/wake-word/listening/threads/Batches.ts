/**
 * Streams of one thread: takes their audio, computes their steps in batches, and changes their models between two
 * steps. A stream that nobody serves in time is ended by the process, which sees the count of its steps.
 */
import type { Extractor } from "#protocols/wake-word/Extractor.ts"
import type { Head } from "#protocols/wake-word/HeadModel.ts"
import { makeBuffers, runSteps } from "#protocols/wake-word/Steps.ts"
import { makeStream, pushBytes, type StreamState, waitingSteps } from "#protocols/wake-word/StreamState.ts"
import type { AudioRing } from "./AudioRing.ts"
import type { FromThread, Wake } from "./Messages.ts"

/**
 * Maximum number of streams of one batch. Reason: larger batches are not faster, and every stream of a batch waits for
 * its end.
 */
const maxBatch = 32

/** Steps that are taken from the ring of a stream at once. Reason: one copy to the start of its samples for so many. */
const stateSteps = 4

export interface LoadedModel {
  readonly head: Head
  readonly extractor: Extractor
  readonly threshold: number
}

interface Stream {
  readonly id: number
  readonly audio: AudioRing
  key: string
  state: StreamState | undefined
  /** Extractor of `state`. */
  extractor: Extractor | undefined
  /** Whether it is in `#ready`. */
  ready: boolean
}

export class Batches {
  readonly #streams = new Map<number, Stream>()
  readonly #models = new Map<string, LoadedModel>()
  /** Dropped models that a step may still use. */
  readonly #leaving: Array<LoadedModel> = []
  /** Streams that may have a waiting step, in the order of their turn. */
  #ready: Array<Stream> = []
  readonly #tell: (message: FromThread) => void
  readonly #buffers = makeBuffers(maxBatch)
  #busy = false

  constructor(tell: (message: FromThread) => void) {
    this.#tell = tell
  }

  model(key: string, model: LoadedModel): void {
    this.#models.set(key, model)
    for (const stream of this.#streams.values()) if (stream.key === key) this.#add(stream)
    this.#start()
  }

  /** Forgets a model, and frees it once no step uses it. False: there is none. */
  drop(key: string): boolean {
    const model = this.#models.get(key)
    if (model === undefined) return false
    this.#models.delete(key)
    this.#leaving.push(model)
    if (!this.#busy) this.#free()
    return true
  }

  #free(): void {
    for (const { head } of this.#leaving.splice(0)) void head.close()
  }

  begin(id: number, key: string, audio: AudioRing): void {
    const stream: Stream = { id, audio, key, state: undefined, extractor: undefined, ready: false }
    this.#streams.set(id, stream)
    this.#add(stream)
    this.#start()
  }

  use(id: number, key: string): void {
    const stream = this.#streams.get(id)
    if (stream === undefined) return
    stream.key = key
    this.#add(stream)
    this.#start()
  }

  /** A step of each of these streams is complete. */
  audio(ids: ReadonlyArray<number>): void {
    for (const id of ids) {
      const stream = this.#streams.get(id)
      if (stream !== undefined) this.#add(stream)
    }
    this.#start()
  }

  end(id: number): void {
    this.#streams.delete(id)
  }

  #add(stream: Stream): void {
    if (stream.ready) return
    stream.ready = true
    this.#ready.push(stream)
  }

  #start(): void {
    if (this.#busy || this.#ready.length === 0) return
    this.#busy = true
    void this.#run()
  }

  async #run(): Promise<void> {
    while (this.#ready.length > 0) {
      const [extractor, batch] = this.#next()
      if (extractor === undefined) break
      await this.#compute(extractor, batch)
      this.#free()
      // Messages that arrived in between form the next batch.
      await new Promise((resolve) => setImmediate(resolve))
    }
    this.#busy = false
  }

  /** The next batch: streams of one extractor whose next step is there. They go to the end, so that all take turns. */
  #next(): readonly [Extractor | undefined, ReadonlyArray<Stream>] {
    let extractor: Extractor | undefined
    const batch: Array<Stream> = []
    const later: Array<Stream> = []
    const room: Array<number> = []
    const ready = this.#ready
    let at = 0
    for (; at < ready.length && batch.length < maxBatch; at++) {
      const stream = ready[at]!
      const model = this.#models.get(stream.key)
      if (extractor !== undefined && model !== undefined && extractor !== model.extractor) {
        later.push(stream)
        continue
      }
      // A stream without its model waits for it, whose arrival makes it ready again.
      if (
        model === undefined ||
        this.#streams.get(stream.id) !== stream ||
        !this.#hasStep(stream, model.extractor, room)
      ) {
        stream.ready = false
        continue
      }
      extractor = model.extractor
      batch.push(stream)
    }
    if (room.length > 0) this.#tell({ kind: "room", streams: room })
    this.#ready = [...later, ...ready.slice(at), ...batch]
    return [extractor, batch]
  }

  /** Whether a step of the stream waits. Takes audio from its ring where needed; a ring that has room joins `room`. */
  #hasStep(stream: Stream, extractor: Extractor, room: Array<number>): boolean {
    const { audio } = stream
    const state = this.#adopt(stream, extractor)
    if (waitingSteps(state) > 0) return true
    const take = (bytes: Uint8Array) => pushBytes(state, bytes)
    audio.read(take)
    if (waitingSteps(state) === 0) {
      audio.sleep()
      audio.read(take)
    }
    if (audio.givesRoom()) room.push(stream.id)
    return waitingSteps(state) > 0
  }

  /** Gives the stream a state of this extractor. Audio that waits for its step is kept. */
  #adopt(stream: Stream, extractor: Extractor): StreamState {
    const before = stream.state
    if (before !== undefined && stream.extractor === extractor) return before
    const state = makeStream(extractor.idle, stateSteps)
    if (before !== undefined) {
      state.samples.set(before.samples)
      state.from = before.from
      state.filled = before.filled
      state.oddByte = before.oddByte
    }
    stream.state = state
    stream.extractor = extractor
    return state
  }

  async #compute(extractor: Extractor, batch: ReadonlyArray<Stream>): Promise<void> {
    const jobs = batch.map((stream) => {
      const model = this.#models.get(stream.key)!
      return { stream: stream.state!, head: model.head, threshold: model.threshold, key: stream.key }
    })
    try {
      const results = await runSteps(extractor, jobs, this.#buffers)
      const wakes: Array<Wake> = []
      results.forEach(({ score, wake }, index) => {
        batch[index]!.audio.count()
        if (wake) wakes.push({ stream: batch[index]!.id, key: jobs[index]!.key, score })
      })
      if (wakes.length > 0) this.#tell({ kind: "wakes", wakes })
    } catch (error) {
      for (const { id } of batch) this.end(id)
      this.#tell({
        kind: "broken",
        streams: batch.map(({ id }) => id),
        problem: error instanceof Error ? error.message : String(error)
      })
    }
  }
}
