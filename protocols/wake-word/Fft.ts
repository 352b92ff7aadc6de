/**
 * Power spectra of two real signals by one complex Fourier transform of 512 points. Pure. The npm package fft.js (MIT)
 * does the same with plain arrays and one signal at a time; its last release is of 2018.
 */

/** Points of the transform. */
export const fftSize = 512

/** Values of a power spectrum: frequencies 0 to half of the sample rate. */
export const spectrumSize = fftSize / 2 + 1

/**
 * Overwrites `real` and `imaginary` (512 values each: two signals). Writes their power spectra. Both signals are real,
 * so that the even and odd parts of the transform belong to one each.
 */
export const powerSpectra = (
  real: Float64Array,
  imaginary: Float64Array,
  first: Float64Array,
  second: Float64Array
): void => {
  transform(real, imaginary)
  for (let k = 0; k < spectrumSize; k++) {
    const mirror = (fftSize - k) % fftSize
    const a = real[k]!
    const b = imaginary[k]!
    const c = real[mirror]!
    const d = imaginary[mirror]!
    first[k] = ((a + c) ** 2 + (b - d) ** 2) / 4
    second[k] = ((b + d) ** 2 + (c - a) ** 2) / 4
  }
}

/** Iterative radix-2 transform in place. Source: Cooley and Tukey, 1965. */
const transform = (real: Float64Array, imaginary: Float64Array): void => {
  for (let index = 0; index < fftSize; index++) {
    const other = reversed[index]!
    if (other <= index) continue
    const re = real[index]!
    const im = imaginary[index]!
    real[index] = real[other]!
    imaginary[index] = imaginary[other]!
    real[other] = re
    imaginary[other] = im
  }
  for (let half = 1; half < fftSize; half *= 2) {
    const stride = fftSize / (2 * half)
    for (let offset = 0; offset < half; offset++) {
      const cos = cosines[offset * stride]!
      const sin = sines[offset * stride]!
      for (let upper = offset; upper < fftSize; upper += 2 * half) {
        const lower = upper + half
        const lowerRe = real[lower]!
        const lowerIm = imaginary[lower]!
        const re = lowerRe * cos + lowerIm * sin
        const im = lowerIm * cos - lowerRe * sin
        const upperRe = real[upper]!
        const upperIm = imaginary[upper]!
        real[upper] = upperRe + re
        imaginary[upper] = upperIm + im
        real[lower] = upperRe - re
        imaginary[lower] = upperIm - im
      }
    }
  }
}

const bits = Math.log2(fftSize)
const reversed = Uint16Array.from({ length: fftSize }, (_, index) => {
  let mirrored = 0
  for (let bit = 0; bit < bits; bit++) mirrored |= ((index >> bit) & 1) << (bits - 1 - bit)
  return mirrored
})
const cosines = Float64Array.from({ length: fftSize / 2 }, (_, index) => Math.cos((2 * Math.PI * index) / fftSize))
const sines = Float64Array.from({ length: fftSize / 2 }, (_, index) => Math.sin((2 * Math.PI * index) / fftSize))
