/**
 * Streams of one thread: takes their audio, computes their steps in batches, and changes their models between two
 * steps. A stream that nobody serves in time is ended by the process, which counts its steps.
 */
import type { Extractor } from "#protocols/wake-word/Extractor.ts"
import type { Head } from "#protocols/wake-word/HeadModel.ts"
import { makeBuffers, runSteps } from "#protocols/wake-word/Steps.ts"
import { makeStream, pushBytes, type StreamState, waitingSteps } from "#protocols/wake-word/StreamState.ts"
import type { AudioPart, FromThread, Wake } from "./Messages.ts"

/**
 * Maximum number of streams of one batch. Reason: larger batches are not faster, and every stream of a batch waits for
 * its end.
 */
const maxBatch = 32

export interface LoadedModel {
  readonly head: Head
  readonly extractor: Extractor
  readonly threshold: number
}

interface Stream {
  readonly id: number
  key: string
  state: StreamState | undefined
  /** Extractor of `state`. */
  extractor: Extractor | undefined
  /** Audio that `state` has not taken yet. */
  rest: Array<Uint8Array>
}

export class Batches {
  readonly #streams = new Map<number, Stream>()
  readonly #models = new Map<string, LoadedModel>()
  /** Dropped models that a step may still use. */
  readonly #leaving: Array<LoadedModel> = []
  /** Streams that may have a waiting step, in the order of their turn. */
  #ready = new Set<Stream>()
  readonly #tell: (message: FromThread) => void
  readonly #buffers = makeBuffers(maxBatch)
  #busy = false

  constructor(tell: (message: FromThread) => void) {
    this.#tell = tell
  }

  model(key: string, model: LoadedModel): void {
    this.#models.set(key, model)
    for (const stream of this.#streams.values()) if (stream.key === key) this.#ready.add(stream)
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

  use(id: number, key: string): void {
    const stream = this.#streams.get(id)
    if (stream !== undefined) stream.key = key
    else this.#streams.set(id, { id, key, state: undefined, extractor: undefined, rest: [] })
    const changed = this.#streams.get(id)!
    this.#ready.add(changed)
    this.#start()
  }

  audio(parts: ReadonlyArray<AudioPart>): void {
    for (const { bytes, stream: id } of parts) {
      const stream = this.#streams.get(id)
      if (stream === undefined) continue
      stream.rest.push(bytes)
      this.#ready.add(stream)
    }
    this.#start()
  }

  end(id: number): void {
    const stream = this.#streams.get(id)
    if (stream !== undefined) this.#ready.delete(stream)
    this.#streams.delete(id)
  }

  #start(): void {
    if (this.#busy || this.#ready.size === 0) return
    this.#busy = true
    void this.#run()
  }

  async #run(): Promise<void> {
    while (this.#ready.size > 0) {
      const [extractor, batch] = this.#next()
      if (extractor === undefined) break
      await this.#compute(extractor, batch)
      this.#free()
      // Messages that arrived in between form the next batch.
      await new Promise((resolve) => setImmediate(resolve))
    }
    this.#busy = false
  }

  /** The next batch: streams of one extractor whose next step is there. */
  #next(): readonly [Extractor | undefined, ReadonlyArray<Stream>] {
    let extractor: Extractor | undefined
    const batch: Array<Stream> = []
    for (const stream of this.#ready) {
      const model = this.#models.get(stream.key)
      // The stream waits for its model, whose arrival makes it ready again.
      if (model === undefined) {
        this.#ready.delete(stream)
        continue
      }
      if (extractor !== undefined && extractor !== model.extractor) continue
      this.#adopt(stream, model.extractor)
      if (waitingSteps(stream.state!) === 0) this.#fill(stream)
      if (waitingSteps(stream.state!) === 0) {
        this.#ready.delete(stream)
        continue
      }
      extractor = model.extractor
      batch.push(stream)
      if (batch.length === maxBatch) break
    }
    // At the end of the queue, so that streams take turns.
    for (const stream of batch) {
      this.#ready.delete(stream)
      this.#ready.add(stream)
    }
    return [extractor, batch]
  }

  /** Gives the stream a state of this extractor. Audio that waits for its step is kept. */
  #adopt(stream: Stream, extractor: Extractor): void {
    if (stream.extractor === extractor) return
    const before = stream.state
    const state = makeStream(extractor.idle)
    if (before !== undefined) {
      state.samples.set(before.samples)
      state.from = before.from
      state.filled = before.filled
      state.oddByte = before.oddByte
    }
    stream.state = state
    stream.extractor = extractor
  }

  #fill(stream: Stream): void {
    while (stream.rest.length > 0) {
      const bytes = stream.rest[0]!
      const taken = pushBytes(stream.state!, bytes)
      if (taken < bytes.length) {
        stream.rest[0] = bytes.subarray(taken)
        return
      }
      stream.rest.shift()
    }
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
        if (wake) wakes.push({ stream: batch[index]!.id, key: jobs[index]!.key, score })
      })
      this.#tell({ kind: "steps", streams: batch.map(({ id }) => id), wakes })
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
