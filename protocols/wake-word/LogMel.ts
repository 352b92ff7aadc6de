/**
 * Log-mel frames of our own extractor: 400 samples under a Hann window, 512-point transform, 32 triangles, logarithm.
 * Pure; also used in browsers. Source of the mel scale: HTK, 2595 log10(1 + f / 700).
 */
import { fftSize, powerSpectra, spectrumSize } from "./Fft.ts"
import { frameCount, hopSamples, melBands, sampleRate } from "./Shape.ts"

/** Unit: samples; 25 ms. */
const windowSamples = 400

/** Offset of the window in its frame, so that the frame ends with its window. Unit: samples. */
const windowOffset = 80

/** Range of the triangles. Unit: hertz. Reason: below is hum, above the edge of the down-sampling filter. */
const lowest = 80
const highest = 7_600

/** Added to each energy (full scale 1). Reason: keeps digital silence apart from -infinity, at about -80 dB. */
const floor = 1e-5

/** Centre and scale of the logarithms, so that most values lie between -2 and 2. */
const centre = 4
const scale = 4

/**
 * Frames of `samples`, row by row with 32 values each; `frameCount(samples.length)` rows. Frame i depends only on the
 * samples 160 i to 160 i + 480, so a stream that keeps 480 samples of context gets the same numbers.
 */
export const logMel = (samples: Int16Array): Float32Array => {
  const count = frameCount(samples.length)
  const frames = new Float32Array(count * melBands)
  writeLogMel(samples, 0, count, frames, 0)
  return frames
}

/** Writes the `count` frames that begin at the sample `from` to `frames`, from row `to` on. */
export const writeLogMel = (
  samples: Int16Array,
  from: number,
  count: number,
  frames: Float32Array,
  to: number
): void => {
  for (let frame = 0; frame < count; frame += 2) {
    const start = from + frame * hopSamples + windowOffset
    fill(real, samples, start)
    if (frame + 1 < count) fill(imaginary, samples, start + hopSamples)
    else imaginary.fill(0)
    powerSpectra(real, imaginary, first, second)
    writeBands(frames, to + frame, first)
    if (frame + 1 < count) writeBands(frames, to + frame + 1, second)
  }
}

const fill = (target: Float64Array, samples: Int16Array, from: number): void => {
  for (let index = 0; index < windowSamples; index++) target[index] = samples[from + index]! * hann[index]!
  target.fill(0, windowSamples)
}

const writeBands = (frames: Float32Array, frame: number, spectrum: Float64Array): void => {
  for (let band = 0; band < melBands; band++) {
    const { from, weights } = triangles[band]!
    let energy = floor
    for (let index = 0; index < weights.length; index++) energy += spectrum[from + index]! * weights[index]!
    frames[frame * melBands + band] = (Math.log(energy) + centre) / scale
  }
}

/** Also divides by full scale. */
const hann = Float64Array.from(
  { length: windowSamples },
  (_, index) => (0.5 - 0.5 * Math.cos((2 * Math.PI * (index + 0.5)) / windowSamples)) / 32_768
)

const toMel = (hertz: number): number => 2_595 * Math.log10(1 + hertz / 700)
const toHertz = (mel: number): number => 700 * (10 ** (mel / 2_595) - 1)

/** Weights of each band, without the zeros at both ends. */
const triangles = Array.from({ length: melBands }, (_, band) => {
  const step = (toMel(highest) - toMel(lowest)) / (melBands + 1)
  const edge = (index: number) => (toHertz(toMel(lowest) + index * step) * fftSize) / sampleRate
  const [left, middle, right] = [edge(band), edge(band + 1), edge(band + 2)]
  const from = Math.ceil(left)
  const to = Math.min(spectrumSize - 1, Math.floor(right))
  const weights = Float64Array.from({ length: to - from + 1 }, (_, index) => {
    const bin = from + index
    return bin < middle ? (bin - left) / (middle - left) : (right - bin) / (right - middle)
  })
  return { from, weights }
})

const real = new Float64Array(fftSize)
const imaginary = new Float64Array(fftSize)
const first = new Float64Array(spectrumSize)
const second = new Float64Array(spectrumSize)
