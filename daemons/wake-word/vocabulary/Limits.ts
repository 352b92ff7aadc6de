/** Format of the audio, and limits that several features share. Source: interface document 3 §2.3, §8. */

/** Samples of a second of audio. One channel. */
export const sampleRate = 16_000

/** Samples of one frame of a browser: 16 ms. A client may send any number. */
export const frameSamples = 256

/** Longest recording. Unit: seconds. Source: interface document 3 §8. */
export const maxRecordingSeconds = 3

/** Threshold of a model whose training does not say another. Source: interface document 3 §2.3. */
export const defaultThreshold = 0.5

/** Length of an embedding. Source: interface document 3 §2.3. */
export const embeddingSize = 96
