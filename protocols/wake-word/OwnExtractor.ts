/** Our own extractor: log-mel frames in TypeScript and our embedding. Also used in browsers. */
import { type Extractor, withIdle } from "./Extractor.ts"
import { writeLogMel } from "./LogMel.ts"
import type { Session } from "./Runtime.ts"
import { contextSamples, melBands, stepFrames, stepSamples, windowFrames } from "./Shape.ts"

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
    embed: (windows, count) => session.run(windows, [count, windowFrames, melBands, 1]),
    close: session.close
  })

export const ownId = (sha256: string): string => `signalbox-${sha256.slice(0, 16)}`
