/** Our own extractor: log-mel frames in TypeScript and our embedding. Also used in browsers. */
import { type Extractor, withIdle } from "./Extractor.ts"
import { writeLogMel } from "./LogMel.ts"
import type { Session } from "./Runtime.ts"
import { contextSamples, melBands, stepFrames, stepSamples, windowFrames, windowValues } from "./Shape.ts"

/** `session`: of the embedding's ONNX file. `sha256`: hexadecimal checksum of that file. */
export const ownExtractor = (session: Session, sha256: string): Promise<Extractor> =>
  withIdle({
    id: ownId(sha256),
    mel: (samples, count) => {
      const size = contextSamples + stepSamples
      const frames = new Float32Array(count * stepFrames * melBands)
      for (let step = 0; step < count; step++) writeLogMel(samples, step * size, stepFrames, frames, step * stepFrames)
      return Promise.resolve(frames)
    },
    embed: (windows, count) => {
      centre(windows)
      return session.run(windows, [count, windowFrames, melBands, 1])
    },
    close: session.close
  })

/**
 * Subtracts the mean of each window. The first node of the network does the same, but adds up the values in single
 * precision and in the order of its runtime: for digital silence the embeddings of onnxruntime-node and onnxruntime-web
 * differed by 4e-3, and the scores of server and browser by 1.4e-3. In a centred window the node finds a mean of 0.
 */
const centre = (windows: Float32Array): void => {
  for (let from = 0; from < windows.length; from += windowValues) {
    let sum = 0
    for (let at = from; at < from + windowValues; at++) sum += windows[at]!
    const mean = sum / windowValues
    for (let at = from; at < from + windowValues; at++) windows[at]! -= mean
  }
}

export const ownId = (sha256: string): string => `signalbox-${sha256.slice(0, 16)}`
