/**
 * Shapes and time grid that both extractors and every head share. Pure constants; also used in browsers.
 * Source: openWakeWord, `openwakeword/utils.py` and `model.py` (December 2025).
 */

/** Unit: samples a second. Audio is mono Int16. */
export const sampleRate = 16_000

/** Samples of one step. A step gives one embedding and one score. Unit: samples; 80 ms. */
export const stepSamples = 1_280

/** Samples before the step that its first mel frames also cover. Unit: samples; three hops. */
export const contextSamples = 480

/** Samples between two mel frames. Unit: samples; 10 ms. */
export const hopSamples = 160

/** Values of a mel frame. */
export const melBands = 32

/** New mel frames of a step. */
export const stepFrames = 8

/** Mel frames of the window that one embedding covers; 775 ms. */
export const windowFrames = 76

/** Values of an embedding. */
export const embeddingSize = 96

/** Embeddings of a head's input; with the window of the first one about 2 s of audio. */
export const headSteps = 16

/** Values of a head's input: 16 embeddings, oldest first. */
export const headInputs = headSteps * embeddingSize

/** Values of an embedding's input: 76 frames, oldest first. */
export const windowValues = windowFrames * melBands

/** Scores of a stream that are forced to 0, because its buffers hold no audio yet. Source: openWakeWord, `model.py`. */
export const silentSteps = 5

/** Steps after a wake in which no other wake is reported. Unit: steps of 80 ms; 2 s. Source: openWakeWord. */
export const debounceSteps = 25

/** Default threshold of a score. Source: the interface document. */
export const defaultThreshold = 0.5

/** Number of mel frames of `samples` samples. */
export const frameCount = (samples: number): number => Math.max(0, Math.ceil(samples / hopSamples - 3))
