/** Streams of one inference thread, with extractors and networks of a few lines. */
import { expect, it } from "vitest"
import { Batches } from "#daemons/wake-word/listening/threads/Batches.ts"
import type { FromThread, Wake } from "#daemons/wake-word/listening/threads/Messages.ts"
import type { Extractor } from "#protocols/wake-word/Extractor.ts"
import type { Head } from "#protocols/wake-word/HeadModel.ts"
import { makeRandom } from "#protocols/wake-word/Random.ts"
import {
  contextSamples,
  embeddingSize,
  headInputs,
  melBands,
  stepFrames,
  stepSamples,
  windowValues
} from "#protocols/wake-word/Shape.ts"
import { runSteps } from "#protocols/wake-word/Steps.ts"
import { makeStream, pushBytes } from "#protocols/wake-word/StreamState.ts"

const random = makeRandom(7)
const audio = Int16Array.from({ length: 64_000 }, () => Math.round(random.between(-4_000, 4_000)))
const bytes = new Uint8Array(audio.buffer)

const rows = (count: number, size: number, value: (row: number, at: number) => number): Float32Array =>
  Float32Array.from({ length: count * size }, (_, index) => value(Math.floor(index / size), index % size))

/** Its values depend on all of its input, and on `factor`. */
const extractorOf = (factor: number): Extractor => ({
  id: `extractor ${factor}`,
  idle: new Float32Array(embeddingSize).fill(factor),
  mel: async (samples, count) => {
    const size = contextSamples + stepSamples
    return rows(count, stepFrames * melBands, (row, at) => (factor * samples[row * size + 6 * at]!) / 4_000)
  },
  embed: async (windows, count) =>
    rows(count, embeddingSize, (row, at) => factor * Math.sin(windows[row * windowValues + 25 * at]!)),
  close: async () => undefined
})

const head: Head = {
  word: "word",
  language: "en",
  extractor: "",
  threshold: 1e-9,
  score: async (inputs, count) =>
    rows(count, 1, (row) => {
      let sum = 0
      for (let at = 0; at < headInputs; at++) sum += inputs[row * headInputs + at]! * Math.cos(at)
      return 1 / (1 + Math.exp(-sum / 40))
    }),
  close: async () => undefined
}

it("starts the buffers of an open stream again when its model has another extractor, and keeps waiting audio", async () => {
  const [first, second] = [extractorOf(1), extractorOf(2)]
  let steps = 0
  const wakes: Array<Wake> = []
  const problems: Array<FromThread> = []
  const batches = new Batches((message) => {
    if (message.kind !== "steps") return void problems.push(message)
    steps += message.streams.length
    wakes.push(...message.wakes)
  })
  const computed = async (count: number) => {
    while (steps < count && problems.length === 0) await new Promise((resolve) => setImmediate(resolve))
    expect([steps, problems]).toEqual([count, []])
  }
  batches.model("first", { head, extractor: first, threshold: head.threshold })
  batches.model("second", { head, extractor: second, threshold: head.threshold })
  batches.use(1, "first")

  // Ten steps, half a step, and half a sample.
  const done = 10 * stepSamples
  const cut = 2 * (done + stepSamples / 2) + 1
  batches.audio([{ stream: 1, bytes: bytes.subarray(0, cut) }])
  await computed(10)
  const before = wakes.splice(0)
  expect(before.map(({ key }) => key)).toEqual(["first"])

  batches.use(1, "second")
  batches.audio([{ stream: 1, bytes: bytes.subarray(cut, 2 * 45 * stepSamples) }])
  await computed(45)

  // A new stream that has only the samples before its first step.
  const stream = makeStream(second.idle)
  stream.samples.set(audio.subarray(done - contextSamples, done))
  const expected: Array<number> = []
  for (let step = 10; step < 45; step++) {
    pushBytes(stream, bytes.subarray(2 * step * stepSamples, 2 * (step + 1) * stepSamples))
    const [result] = await runSteps(second, [{ stream, head, threshold: head.threshold }])
    if (result!.wake) expected.push(result!.score)
  }
  expect(wakes.map(({ key, score }) => [key, score])).toEqual(expected.map((score) => ["second", score]))
  expect(expected.length).toBe(2)
})

it("keeps the buffers and the pause of a stream whose new model has the same extractor", async () => {
  const extractor = extractorOf(1)
  let steps = 0
  const wakes: Array<string> = []
  const batches = new Batches((message) => {
    if (message.kind !== "steps") return
    steps += message.streams.length
    wakes.push(...message.wakes.map(({ key }) => key))
  })
  for (const key of ["first", "second"]) batches.model(key, { head, extractor, threshold: head.threshold })
  batches.use(1, "first")
  for (const [count, key] of [
    [10, "second"],
    // The wake at step 6 is followed by a pause until step 31.
    [30, "second"],
    [31, "second"]
  ] as const) {
    batches.audio([{ stream: 1, bytes: bytes.subarray(2 * steps * stepSamples, 2 * count * stepSamples) }])
    while (steps < count) await new Promise((resolve) => setImmediate(resolve))
    batches.use(1, key)
    expect(wakes).toEqual(count < 31 ? ["first"] : ["first", "second"])
  }
})
