/** Streams of one inference thread, with extractors and networks of a few lines. */
import { expect, it } from "vitest"
import { AudioRing, stepBytes } from "#daemons/wake-word/listening/threads/AudioRing.ts"
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

/** Writes as the process does: what does not fit waits until the thread has taken some. */
const send = async (batches: Batches, ring: AudioRing, part: Uint8Array) => {
  for (let at = 0; at < part.length;) {
    at += ring.write(part.subarray(at))
    batches.audio([1])
    await new Promise((resolve) => setImmediate(resolve))
  }
}

it("starts the buffers of an open stream again when its model has another extractor, and keeps waiting audio", async () => {
  const [first, second] = [extractorOf(1), extractorOf(2)]
  const ring = new AudioRing()
  const wakes: Array<Wake> = []
  const problems: Array<FromThread> = []
  const batches = new Batches((message) => {
    if (message.kind === "wakes") wakes.push(...message.wakes)
    else problems.push(message)
  })
  const computed = async (count: number) => {
    while (ring.computed < count && problems.length === 0) await new Promise((resolve) => setImmediate(resolve))
    expect([ring.computed, problems]).toEqual([count, []])
  }
  batches.model("first", { head, extractor: first, threshold: head.threshold })
  batches.model("second", { head, extractor: second, threshold: head.threshold })
  batches.begin(1, "first", ring)

  // Ten steps, half a step, and half a sample.
  const done = 10 * stepSamples
  const cut = 2 * (done + stepSamples / 2) + 1
  await send(batches, ring, bytes.subarray(0, cut))
  await computed(10)
  const before = wakes.splice(0)
  expect(before.map(({ key }) => key)).toEqual(["first"])

  batches.use(1, "second")
  await send(batches, ring, bytes.subarray(cut, 2 * 45 * stepSamples))
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
  const wakes: Array<string> = []
  const batches = new Batches((message) => {
    if (message.kind === "wakes") wakes.push(...message.wakes.map(({ key }) => key))
  })
  for (const key of ["first", "second"]) batches.model(key, { head, extractor, threshold: head.threshold })
  const ring = new AudioRing()
  batches.begin(1, "first", ring)
  for (const [count, key] of [
    [10, "second"],
    // The wake at step 6 is followed by a pause until step 31.
    [30, "second"],
    [31, "second"]
  ] as const) {
    await send(batches, ring, bytes.subarray(2 * ring.computed * stepSamples, 2 * count * stepSamples))
    while (ring.computed < count) await new Promise((resolve) => setImmediate(resolve))
    batches.use(1, key)
    expect(wakes).toEqual(count < 31 ? ["first"] : ["first", "second"])
  }
})

it("tells of room only where the process waits for it, and takes audio that comes while it sleeps", async () => {
  const extractor = extractorOf(1)
  const rooms: Array<number> = []
  const batches = new Batches((message) => {
    if (message.kind === "room") rooms.push(...message.streams)
  })
  batches.model("model", { head, extractor, threshold: 2 })
  const ring = new AudioRing()
  batches.begin(1, "model", ring)
  const all = new Uint8Array(60 * stepBytes)
  let sent = 0
  // Told of audio only when the ring is asleep, as the process does.
  const push = (size: number) => {
    const taken = ring.write(all.subarray(sent, sent + size))
    sent += taken
    if (ring.wakes()) batches.audio([1])
    return taken
  }
  for (let turn = 0; turn < 20; turn++) {
    push(stepBytes)
    if (turn % 3 === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  while (ring.computed < 20) await new Promise((resolve) => setImmediate(resolve))
  expect(rooms).toEqual([])
  while (push(stepBytes) > 0);
  expect(ring.awaitRoom()).toBe(true)
  while (rooms.length === 0) await new Promise((resolve) => setImmediate(resolve))
  expect(ring.computed).toBeLessThan(60)
  while (sent < all.length) {
    push(all.length)
    await new Promise((resolve) => setImmediate(resolve))
  }
  while (ring.computed < 60) await new Promise((resolve) => setImmediate(resolve))
  expect(rooms).toEqual([1])
})
