/** A WAV file of a recording in the browser. Pure. Source: RFC 2361, WAVE_FORMAT_PCM. */
import { sampleRate } from "../../../wake-word/Framing.ts"

/** Length of the header. Unit: bytes. */
const header = 44

/** WAV file of Int16, one channel, 16 kHz. */
export const wavOf = (samples: Int16Array): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(header + samples.length * 2)
  const view = new DataView(bytes.buffer)
  const text = (at: number, value: string) => {
    for (let index = 0; index < value.length; index++) bytes[at + index] = value.charCodeAt(index)
  }
  text(0, "RIFF")
  view.setUint32(4, bytes.length - 8, true)
  text(8, "WAVEfmt ")
  view.setUint32(16, 16, true)
  view.setUint16(20, 1, true)
  view.setUint16(22, 1, true)
  view.setUint32(24, sampleRate, true)
  view.setUint32(28, sampleRate * 2, true)
  view.setUint16(32, 2, true)
  view.setUint16(34, 16, true)
  text(36, "data")
  view.setUint32(40, samples.length * 2, true)
  for (const [at, sample] of samples.entries()) view.setInt16(header + at * 2, sample, true)
  return bytes
}

/** Collects frames up to a limit. */
export class Take {
  readonly #limit: number
  readonly #samples: Int16Array
  #filled = 0

  /** `seconds`: longest recording. */
  constructor(seconds: number) {
    this.#limit = Math.round(seconds * sampleRate)
    this.#samples = new Int16Array(this.#limit)
  }

  /** Appends a frame, cut at the limit. Returns whether the recording is full. */
  push(frame: Int16Array): boolean {
    const part = frame.subarray(0, this.#limit - this.#filled)
    this.#samples.set(part, this.#filled)
    this.#filled += part.length
    return this.#filled === this.#limit
  }

  /** Unit: milliseconds. */
  get length(): number {
    return (this.#filled / sampleRate) * 1000
  }

  get samples(): Int16Array {
    return this.#samples.slice(0, this.#filled)
  }
}
