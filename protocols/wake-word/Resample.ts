/**
 * Changes the sample rate by a windowed sinc, which is also the low-pass before down-sampling. Pure. Own code, because
 * the npm packages for it have had no release for years (wave-resampler, 2020) or need WebAssembly for 40 lines.
 * Source: Julius O. Smith, "Digital Audio Resampling", https://ccrma.stanford.edu/~jos/resample/.
 */

/** Zero crossings of the sinc on each side. With the window below the transition is 1.2 kHz wide at 16 kHz. */
const crossings = 32

/** Middle of the transition as a share of the lower Nyquist frequency, so that the stop-band begins below it. */
const cutoff = 0.925

/** Shape of the Kaiser window: 80 dB in the stop-band. Source: Kaiser's formula, 0.1102 (80 - 8.7). */
const beta = 7.86

/** Kernel values for each zero crossing; linear interpolation between them is exact to about -100 dB. */
const resolution = 512

/** Maximum number of positions between two input samples for which the weights are computed in advance. */
const maxPhases = 2_048

/** Same length in time. The result may exceed the range of the input by the overshoot of the filter. */
export const resample = (samples: Float32Array, from: number, to: number): Float32Array => {
  if (from === to) return samples
  const length = Math.max(1, Math.floor((samples.length * to) / from))
  const out = new Float32Array(length)
  // Zero crossings for each input sample.
  const density = cutoff * Math.min(1, to / from)
  const reach = Math.ceil(crossings / density)
  const phases = to / greatestDivisor(from, to)
  const weights = phases <= maxPhases ? allWeights(phases, reach, density) : new Float64Array(2 * reach + 1)
  const taps = 2 * reach + 1
  for (let at = 0; at < length; at++) {
    const position = at * from
    const centre = Math.floor(position / to)
    const fraction = (position % to) / to
    let row = Math.round(fraction * phases) * taps
    if (phases > maxPhases) {
      row = 0
      writeWeights(weights, 0, fraction, reach, density)
    }
    const first = Math.max(0, centre - reach)
    const last = Math.min(samples.length - 1, centre + reach)
    const offset = row - (centre - reach)
    let sum = 0
    for (let index = first; index <= last; index++) sum += samples[index]! * weights[offset + index]!
    out[at] = sum
  }
  return out
}

const greatestDivisor = (a: number, b: number): number => (b === 0 ? a : greatestDivisor(b, a % b))

const allWeights = (phases: number, reach: number, density: number): Float64Array => {
  const taps = 2 * reach + 1
  const weights = new Float64Array(phases * taps)
  for (let phase = 0; phase < phases; phase++) writeWeights(weights, phase * taps, phase / phases, reach, density)
  return weights
}

/** Weights of the input samples around a position `fraction` behind a sample. */
const writeWeights = (weights: Float64Array, row: number, fraction: number, reach: number, density: number): void => {
  for (let tap = -reach; tap <= reach; tap++) {
    const position = Math.min(crossings, Math.abs(tap - fraction) * density) * resolution
    const lower = Math.floor(position)
    const below = kernel[lower]!
    weights[row + tap + reach] = density * (below + (position - lower) * (kernel[lower + 1]! - below))
  }
}

/** Modified Bessel function of order 0. */
const bessel = (x: number): number => {
  let term = 1
  let sum = 1
  for (let k = 1; term > sum * 1e-12; k++) {
    term *= (x / (2 * k)) ** 2
    sum += term
  }
  return sum
}

/** One side of the windowed sinc; two zeros more than `crossings` because of the interpolation. */
const kernel = Float64Array.from({ length: crossings * resolution + 2 }, (_, index) => {
  const x = index / resolution
  if (x >= crossings) return 0
  const sinc = x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x)
  return (sinc * bessel(beta * Math.sqrt(1 - (x / crossings) ** 2))) / bessel(beta)
})
