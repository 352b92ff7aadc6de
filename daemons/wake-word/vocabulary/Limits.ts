/** Limits that several features share. */

/** Samples of one frame of a browser: 16 ms. A client may send any number. Source: interface document 3 §2.3. */
export const frameSamples = 256

/** Longest recording. Unit: seconds. Source: interface document 3 §8. */
export const maxRecordingSeconds = 3
