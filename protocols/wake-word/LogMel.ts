/** Log-mel frames of our own extractor. Pure; also used in browsers. */

/**
 * Frames of `samples`, row by row with 32 values each; `frameCount(samples.length)` rows. Frame i depends only on the
 * samples 160 i to 160 i + 480, so a stream that keeps 480 samples of context gets the same numbers.
 */
export const logMel = (samples: Int16Array): Float32Array => {
  void samples
  throw new Error("not implemented")
}
