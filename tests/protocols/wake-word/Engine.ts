/** Runtimes, the own extractor and a head with random weights, for tests. */
import { Effect } from "effect"
import { openOwn } from "#protocols/wake-word/OpenExtractor.ts"
import { headLayout, type HeadWeights } from "#protocols/wake-word/Head.ts"
import { openHead, writeHead } from "#protocols/wake-word/HeadModel.ts"
import { makeRandom } from "#protocols/wake-word/Random.ts"
import { loadRuntime } from "#protocols/wake-word/Runtime.ts"

export const openEngine = async () => {
  const runtime = await Effect.runPromise(loadRuntime("onnxruntime-node"))
  const extractor = await Effect.runPromise(openOwn(runtime))
  return { runtime, extractor }
}

/** A head whose scores spread over 0 to 1. */
export const randomHead = (seed: number, hidden = 16, networks = 1): HeadWeights => {
  const random = makeRandom(seed)
  const size = networks * headLayout(hidden).size
  return { hidden, values: Float32Array.from({ length: size }, () => random.normal() * 0.7) }
}

export const headOf = (engine: Awaited<ReturnType<typeof openEngine>>, weights: HeadWeights) =>
  Effect.runPromise(
    openHead(
      engine.runtime,
      writeHead(weights, { word: "test", language: "en", extractor: engine.extractor.id, threshold: 0.5 }),
      engine.extractor.id
    )
  )

/** Sounds of changing pitch with noise. */
export const sounds = (seconds: number, seed: number): Int16Array => {
  const random = makeRandom(seed)
  let [phase, hertz, level] = [0, 300, 0]
  return Int16Array.from({ length: Math.round(seconds * 16_000) }, (_, at) => {
    if (at % 1_600 === 0) {
      hertz = random.between(100, 3_000)
      level = random.between(0, 8_000)
    }
    phase += (2 * Math.PI * hertz) / 16_000
    return Math.round(level * (Math.sin(phase) + Math.sin(3 * phase) / 2) + random.between(-200, 200))
  })
}
