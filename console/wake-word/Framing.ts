/** Cuts samples into the frames of the socket. Pure. */

/** Unit: samples a second. */
export { sampleRate } from "../../protocols/wake-word/Shape.ts"

/** Samples of a frame: 16 ms. Source: interface document 3 §2.3. */
export const frameSamples = 256

/** Full scale of Int16. */
const fullScale = 32_768

/** Int16 value of a sample between -1 and 1; louder samples are clipped. */
export const toInt16 = (sample: number): number =>
  Math.max(-fullScale, Math.min(fullScale - 1, Math.round(sample * fullScale)))

/** Collects samples in any chunking; each full frame is a new array. */
export class Framer {
  readonly #frame = new Int16Array(frameSamples)
  #filled = 0

  /** Frames that these samples complete. `samples`: -1 to 1, 16 kHz. */
  push(samples: Float32Array): ReadonlyArray<Int16Array<ArrayBuffer>> {
    const frames: Array<Int16Array<ArrayBuffer>> = []
    for (const sample of samples) {
      this.#frame[this.#filled++] = toInt16(sample)
      if (this.#filled < frameSamples) continue
      frames.push(this.#frame.slice())
      this.#filled = 0
    }
    return frames
  }
}

/** Root mean square of a frame, 0 to 1. */
export const levelOf = (frame: Int16Array): number => {
  let sum = 0
  for (const sample of frame) sum += sample * sample
  return Math.sqrt(sum / Math.max(1, frame.length)) / fullScale
}

/** Range of the level meter. Unit: decibels below full scale. */
const quietest = 60

/** Place of a level on a meter, 0 to 1: linear in decibels, because people hear so. */
export const meterOf = (level: number): number =>
  level <= 0 ? 0 : Math.max(0, Math.min(1, 1 + (20 * Math.log10(level)) / quietest))
