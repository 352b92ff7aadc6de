/** Variants of a clip for training. Pure and deterministic by the random numbers given. */
import type { Random } from "./Random.ts"

/** Level of the white noise relative to the RMS of the clip. Unit: dB. Source: the interface document. */
export const noiseLevel = -25

/** Length of a placed clip: 16 embeddings of 80 ms behind a window of 76 frames. Unit: samples; 2 s. */
export const clipSamples = 32_000

/**
 * Removes silence at both ends, and puts the clip at the end of `clipSamples` samples with 0 to 200 ms behind the word.
 * A clip that is too long loses its beginning.
 */
export const placeClip = (clip: Int16Array, random: Random, samples = clipSamples): Int16Array => {
  void [clip, random, samples]
  throw new Error("not implemented")
}

/** White noise at -25 dB always; gain, time shift, band-stop and room each with a probability. Same length. */
export const augment = (clip: Int16Array, random: Random): Int16Array => {
  void [clip, random]
  throw new Error("not implemented")
}
