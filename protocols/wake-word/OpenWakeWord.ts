/**
 * The extractor of openWakeWord: two ONNX files that an operator supplies. Their licence is Apache 2.0; they are not
 * part of this project. Source: openWakeWord, `openwakeword/utils.py`, class `AudioFeatures`.
 */
import { Effect } from "effect"
import { type Extractor, withIdle } from "./Extractor.ts"
import type { Session } from "./Runtime.ts"
import {
  contextSamples,
  embeddingSize,
  melBands,
  stepFrames,
  stepSamples,
  windowFrames,
  windowValues
} from "./Shape.ts"
import { badModel, type WakeWordError } from "./WakeWordError.ts"

/** Fails with `BadModel` when a result has another shape than that of openWakeWord. */
export const openWakeWordExtractor = (
  mel: Session,
  embedding: Session,
  id: string
): Effect.Effect<Extractor, WakeWordError> =>
  Effect.tryPromise({
    try: async () => {
      const extractor = await withIdle({
        id,
        mel: (samples, count) => melFrames(mel, samples, count),
        embed: async (windows, count) =>
          sized("embedding_model.onnx", await embedding.run(windows, [count, windowFrames, melBands, 1]), count),
        close: async () => {
          await mel.close()
          await embedding.close()
        }
      })
      // A model with a fixed batch size would fail only under load.
      await extractor.embed(new Float32Array(2 * windowValues), 2)
      return extractor
    },
    catch: (error) =>
      badModel(error instanceof ShapeError ? `${error.message} has another shape` : "the ONNX runtime cannot run it")
  })

class ShapeError extends Error {}

const sized = (file: string, values: Float32Array, count: number, size = embeddingSize): Float32Array => {
  if (values.length !== count * size) throw new ShapeError(file)
  return values
}

/** One run for each step, because the file is specified for one clip. Samples are not divided by full scale. */
const melFrames = async (mel: Session, samples: Int16Array, count: number): Promise<Float32Array> => {
  const size = contextSamples + stepSamples
  const frames = new Float32Array(count * stepFrames * melBands)
  for (let step = 0; step < count; step++) {
    const input = Float32Array.from(samples.subarray(step * size, (step + 1) * size))
    const values = sized("melspectrogram.onnx", await mel.run(input, [1, size]), stepFrames, melBands)
    for (let at = 0; at < values.length; at++) frames[step * values.length + at] = values[at]! / 10 + 2
  }
  return frames
}
