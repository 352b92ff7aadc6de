/**
 * Variants of a clip for training. Pure and deterministic by the random numbers given. Source of the kinds and their
 * probabilities: openWakeWord, `openwakeword/data.py`, `augment_clips`.
 */
import type { Random } from "./Random.ts"
import { sampleRate } from "./Shape.ts"

/** Level of the white noise relative to the RMS of the clip. Unit: dB. Source: the interface document. */
export const noiseLevel = -25

/** Level of the noise of a quiet room, in clips without a sound. Unit: Int16 values. */
const quietNoise = 4

/** Length of a placed clip: 16 embeddings of 80 ms behind a window of 76 frames. Unit: samples; 2 s. */
export const clipSamples = 32_000

/** Longest time from the end of the word to the end of a placed clip. Unit: samples; 200 ms. Source: openWakeWord. */
const placeJitter = 3_200

/** Highest share of the loudest sample that still counts as silence, and the silence that stays. Unit: samples. */
const silenceShare = 0.02
const keptSilence = 160

/** The clip without silence at both ends; 10 ms stay. */
export const trimSilence = (clip: Int16Array): Int16Array => {
  let loudest = 0
  for (const sample of clip) loudest = Math.max(loudest, Math.abs(sample))
  const limit = loudest * silenceShare
  let from = 0
  while (from < clip.length && Math.abs(clip[from]!) <= limit) from++
  let to = clip.length
  while (to > from && Math.abs(clip[to - 1]!) <= limit) to--
  return clip.subarray(Math.max(0, from - keptSilence), Math.min(clip.length, to + keptSilence))
}

/**
 * Puts the clip without its silence at the end of `samples` samples, with 0 to 200 ms behind the word. A clip that is
 * too long loses its beginning. `before`: other speech that ends 0 to 300 ms before the word.
 */
export const placeClip = (
  clip: Int16Array,
  random: Random,
  samples = clipSamples,
  before: Int16Array = new Int16Array()
): Int16Array => {
  const placed = new Int16Array(samples)
  const end = samples - random.below(placeJitter + 1)
  const word = trimSilence(clip)
  const from = end - word.length
  placed.set(word.subarray(Math.max(0, -from)), Math.max(0, from))
  const gap = random.below(beforeGap + 1)
  const room = from - gap
  if (before.length > 0 && room > 0) {
    const part = trimSilence(before)
    const kept = part.subarray(Math.max(0, part.length - room))
    placed.set(kept, room - kept.length)
  }
  return placed
}

/** Longest pause between other speech and the word. Unit: samples; 300 ms. */
const beforeGap = 4_800

/** Highest change of pitch, formants and speed by `otherVoice`. Source: openWakeWord, 3 semitones. */
const maxPitch = 2 ** (3 / 12)

/** The clip as by a smaller or larger speaker: faster and higher, or slower and lower. The length changes. */
export const otherVoice = (clip: Int16Array, random: Random): Int16Array => {
  const factor = maxPitch ** random.between(-1, 1)
  const out = new Int16Array(Math.max(0, Math.floor((clip.length - 1) / factor)))
  for (let at = 0; at < out.length; at++) {
    const position = at * factor
    const lower = Math.floor(position)
    out[at] = Math.round(clip[lower]! + (position - lower) * (clip[lower + 1]! - clip[lower]!))
  }
  return out
}

/** White noise at -25 dB and gain always; time shift, band-stop, equaliser and room with a probability. Same length. */
export const augment = (clip: Int16Array, random: Random): Int16Array => {
  let samples = new Float64Array(clip)
  if (random.next() < 0.25) samples = shifted(samples, random.below(maxShift + 1))
  if (random.next() < 0.25) bandStop(samples, random.between(300, 4_000), random.between(1, 4))
  if (random.next() < 0.5) {
    peak(samples, random.between(100, 1_000), random.between(-8, 8))
    peak(samples, random.between(1_000, 6_000), random.between(-8, 8))
  }
  if (random.next() < 0.5) samples = inRoom(samples, random)
  addNoise(samples, random)
  return withGain(samples, random.between(-18, 0))
}

/** Unit: samples; 40 ms. Reason: half a step, the phase between word and steps. */
const maxShift = 640

/** Moves the clip to the left; zeros follow. */
const shifted = (samples: Float64Array, by: number): Float64Array<ArrayBuffer> => {
  const moved = new Float64Array(samples.length)
  moved.set(samples.subarray(by))
  return moved
}

/** Removes a band around `centre` hertz. Source: RBJ, "Cookbook formulae for audio EQ", notch. */
const bandStop = (samples: Float64Array, centre: number, quality: number): void => {
  const { alpha, cos } = angle(centre, quality)
  filter(samples, [1, -2 * cos, 1], [1 + alpha, -2 * cos, 1 - alpha])
}

/** Raises or lowers a broad band by `decibel`. Source: the same, peakingEQ. */
const peak = (samples: Float64Array, centre: number, decibel: number): void => {
  const { alpha, cos } = angle(centre, 0.5)
  const gain = 10 ** (decibel / 40)
  filter(samples, [1 + alpha * gain, -2 * cos, 1 - alpha * gain], [1 + alpha / gain, -2 * cos, 1 - alpha / gain])
}

const angle = (centre: number, quality: number) => {
  const omega = (2 * Math.PI * centre) / sampleRate
  return { alpha: Math.sin(omega) / (2 * quality), cos: Math.cos(omega) }
}

type Coefficients = readonly [number, number, number]

/** A filter of second order, in place. */
const filter = (samples: Float64Array, [b0, b1, b2]: Coefficients, [a0, a1, a2]: Coefficients): void => {
  let x1 = 0
  let x2 = 0
  let y1 = 0
  let y2 = 0
  for (let at = 0; at < samples.length; at++) {
    const x = samples[at]!
    const y = (b0 * x + b1 * x1 + b2 * x2 - a1 * y1 - a2 * y2) / a0
    x2 = x1
    x1 = x
    y2 = y1
    y1 = y
    samples[at] = y
  }
}

/** Echoes of a room. */
const echoes = 12

/** Adds echoes of 3 to 80 ms with a decay of 0.1 to 0.5 s, as the walls of a room give them. */
const inRoom = (samples: Float64Array, random: Random): Float64Array<ArrayBuffer> => {
  const out = new Float64Array(samples)
  const decay = random.between(0.1, 0.5)
  const level = random.between(0.1, 0.4)
  for (let echo = 0; echo < echoes; echo++) {
    const delay = Math.round(random.between(0.003, 0.08) * sampleRate)
    // 60 dB in the time of the decay.
    const gain = level * 10 ** ((-3 * delay) / sampleRate / decay) * (random.next() < 0.5 ? -1 : 1)
    for (let at = delay; at < out.length; at++) out[at]! += gain * samples[at - delay]!
  }
  return out
}

/** The RMS is that of the clip's part with sound, so that the length of the silence around it does not matter. */
const addNoise = (samples: Float64Array, random: Random): void => {
  let energy = 0
  let count = 0
  for (const sample of samples) {
    if (Math.abs(sample) < 1) continue
    energy += sample * sample
    count++
  }
  const level = Math.max(quietNoise, count === 0 ? 0 : Math.sqrt(energy / count) * 10 ** (noiseLevel / 20))
  // A uniform distribution is as white as a normal one, and ten times as fast. Its RMS is the range / sqrt(12).
  const range = level * Math.sqrt(12)
  for (let at = 0; at < samples.length; at++) samples[at]! += (random.next() - 0.5) * range
}

/** `decibel` relative to a loudest sample at full scale. */
const withGain = (samples: Float64Array, decibel: number): Int16Array => {
  let loudest = 1
  for (const sample of samples) loudest = Math.max(loudest, Math.abs(sample))
  const factor = (32_767 * 10 ** (decibel / 20)) / loudest
  const out = new Int16Array(samples.length)
  for (let at = 0; at < out.length; at++) out[at] = Math.round(samples[at]! * factor)
  return out
}
