/**
 * Resamples an endless stream to 16 kHz in blocks, with the filter that the server uses for uploads. The result equals
 * that of the whole clip at once. Pure.
 */
import { resample } from "../../protocols/wake-word/Resample.ts"
import { sampleRate } from "../../protocols/wake-word/Shape.ts"

/** Minimum length of a block. Unit: seconds. Reason: the length of a frame, so resampling adds little delay. */
const blockSeconds = 0.016

/** Samples that the filter reaches to each side, at the lower of the two rates. Reason: 32 zero crossings / 0.925. */
const reach = 36

export class StreamResampler {
  readonly #from: number
  /** Input samples of a block, and of the context on each side: multiples of the ratio, so outputs fall on samples. */
  readonly #block: number
  readonly #context: number
  /** Context before the next block, then the samples that wait. */
  #held: Float32Array

  /** `from`: rate of the input. Unit: samples a second. */
  constructor(from: number) {
    const unit = from / greatestDivisor(from, sampleRate)
    const atLeast = (samples: number) => Math.ceil(samples / unit) * unit
    this.#from = from
    this.#block = atLeast(from * blockSeconds)
    this.#context = atLeast(reach * Math.max(1, from / sampleRate))
    this.#held = new Float32Array(this.#context)
  }

  /** Samples of 16 kHz that are complete after `samples`. */
  push(samples: Float32Array): Float32Array {
    if (this.#from === sampleRate) return samples
    const all = new Float32Array(this.#held.length + samples.length)
    all.set(this.#held)
    all.set(samples, this.#held.length)
    const window = 2 * this.#context + this.#block
    const blocks = Math.max(0, Math.floor((all.length - 2 * this.#context) / this.#block))
    const [skipped, taken] = [this.#context, this.#block].map((count) => (count * sampleRate) / this.#from)
    const out = new Float32Array(blocks * taken!)
    for (let block = 0; block < blocks; block++) {
      const at = block * this.#block
      const part = resample(all.subarray(at, at + window), this.#from, sampleRate)
      out.set(part.subarray(skipped, skipped! + taken!), block * taken!)
    }
    this.#held = all.slice(blocks * this.#block)
    return out
  }
}

const greatestDivisor = (a: number, b: number): number => (b === 0 ? a : greatestDivisor(b, a % b))
