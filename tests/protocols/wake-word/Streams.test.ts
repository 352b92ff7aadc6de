import fc from "fast-check"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { clipRows, withIdleRows } from "#protocols/wake-word/Features.ts"
import { scoreHead } from "#protocols/wake-word/Head.ts"
import type { Head } from "#protocols/wake-word/HeadModel.ts"
import { logMel } from "#protocols/wake-word/LogMel.ts"
import {
  debounceSteps,
  embeddingSize,
  frameCount,
  headInputs,
  silentSteps,
  stepSamples
} from "#protocols/wake-word/Shape.ts"
import { runSteps } from "#protocols/wake-word/Steps.ts"
import {
  makeStream,
  maxWaitingSteps,
  pushBytes,
  type StreamState,
  waitingSteps
} from "#protocols/wake-word/StreamState.ts"
import { headOf, openEngine, randomHead, sounds } from "./Engine.ts"

let engine: Awaited<ReturnType<typeof openEngine>>
let head: Head
const weights = randomHead(11)
beforeAll(async () => {
  engine = await openEngine()
  head = await headOf(engine, weights)
})
afterAll(async () => {
  await head.close()
  await engine.extractor.close()
})

/** Scores computed from the whole clip at once, by TypeScript. */
const offlineScores = async (clip: Int16Array) => {
  const rows = await clipRows(engine.extractor, clip)
  const all = withIdleRows(rows, engine.extractor.idle)
  return Array.from({ length: rows.length / embeddingSize }, (_, step) =>
    step < silentSteps ? 0 : scoreHead(weights, all.subarray(step * embeddingSize, step * embeddingSize + headInputs))
  )
}

const bytesOf = (clip: Int16Array) => new Uint8Array(clip.buffer, clip.byteOffset, clip.byteLength)

/** Never reached. */
const silent = { threshold: 2 }

describe("streams", () => {
  it("score as a computation of the whole clip, in any chunking and any batch, within 1e-5", async () => {
    const clips = [sounds(3, 1), sounds(2.5, 2), sounds(2.9, 3)]
    const expected = await Promise.all(clips.map(offlineScores))
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(5_000), { minLength: 1, maxLength: 30 }), async (sizes) => {
        const streams = clips.map(() => makeStream(engine.extractor.idle))
        const scores = clips.map((): Array<number> => [])
        const positions = clips.map(() => 0)
        for (let turn = 0; positions.some((at, index) => at < clips[index]!.byteLength); turn++) {
          streams.forEach((stream, index) => {
            const at = positions[index]!
            const chunk = bytesOf(clips[index]!).subarray(at, at + 1 + sizes[(turn + index) % sizes.length]!)
            expect(pushBytes(stream, chunk)).toBe(chunk.length)
            positions[index] = at + chunk.length
          })
          for (;;) {
            const ready = streams.flatMap((stream, index) => (waitingSteps(stream) > 0 ? [{ stream, index }] : []))
            if (ready.length === 0) break
            const results = await runSteps(
              engine.extractor,
              ready.map(({ stream }) => ({ stream, head, ...silent }))
            )
            results.forEach(({ score }, at) => scores[ready[at]!.index]!.push(score))
          }
        }
        scores.forEach((found, index) => {
          expect(found.length).toBe(expected[index]!.length)
          found.forEach((score, step) => expect(Math.abs(score - expected[index]![step]!)).toBeLessThan(1e-5))
        })
      }),
      { numRuns: 8 }
    )
    const all = expected.flat()
    expect(Math.max(...all) - Math.min(...all)).toBeGreaterThan(0.2)
  })

  it("take no more than two seconds, and keep an odd byte", async () => {
    const stream = makeStream(engine.extractor.idle)
    const two = new Uint8Array(2 * stepSamples * maxWaitingSteps)
    expect(pushBytes(stream, two.subarray(0, 3))).toBe(3)
    expect(pushBytes(stream, two)).toBe(two.length - 3)
    expect(waitingSteps(stream)).toBe(maxWaitingSteps)
    expect(pushBytes(stream, two)).toBe(0)
    await runSteps(engine.extractor, [{ stream, head: undefined, threshold: 0.5 }])
    expect(pushBytes(stream, two)).toBe(2 * stepSamples)
  })

  it("use less than 200 KB", () => {
    const { features, mel, samples } = makeStream(engine.extractor.idle)
    expect(features.byteLength + mel.byteLength + samples.byteLength).toBeLessThan(200_000)
  })

  it("report a wake once in two seconds, not in the first five steps, and only above the threshold", async () => {
    const stub = (score: number): Head => ({
      ...head,
      score: (_, count) => Promise.resolve(new Float32Array(count).fill(score))
    })
    const wakes = async (stream: StreamState, score: number, steps: number) => {
      const found: Array<number> = []
      for (let step = 0; step < steps; step++) {
        pushBytes(stream, new Uint8Array(2 * stepSamples))
        const [result] = await runSteps(engine.extractor, [{ stream, head: stub(score), threshold: 0.5 }])
        if (result!.wake) found.push(step)
      }
      return found
    }
    const first = silentSteps
    expect(await wakes(makeStream(engine.extractor.idle), 0.5, 60)).toEqual([
      first,
      first + debounceSteps,
      first + 2 * debounceSteps
    ])
    expect(await wakes(makeStream(engine.extractor.idle), 0.49, 30)).toEqual([])
  })

  it("of one batch may have different heads, or none", async () => {
    const other = await headOf(engine, randomHead(12))
    const streams = [head, other, undefined].map((own) => ({
      stream: makeStream(engine.extractor.idle),
      head: own,
      ...silent
    }))
    const clip = sounds(1, 5)
    for (const { stream } of streams) pushBytes(stream, bytesOf(clip))
    let last: ReadonlyArray<number> = []
    for (let step = 0; step < 12; step++) last = (await runSteps(engine.extractor, streams)).map(({ score }) => score)
    expect(last[0]).toBeCloseTo((await offlineScores(clip))[11]!, 5)
    expect(Math.abs(last[0]! - last[1]!)).toBeGreaterThan(1e-3)
    expect(last[2]).toBe(0)
    await other.close()
  })
})

describe("logMel", () => {
  it("has the frame grid of openWakeWord", () => {
    expect([1_760, 32_000, 481, 480, 0].map((samples) => logMel(new Int16Array(samples)).length / 32)).toEqual([
      8, 197, 1, 0, 0
    ])
    expect(frameCount(12_640)).toBe(76)
  })

  it("shows a tone in the band of its frequency", () => {
    const tone = Int16Array.from({ length: 1_760 }, (_, at) => 10_000 * Math.sin((2 * Math.PI * 1_000 * at) / 16_000))
    const frames = logMel(tone)
    const band = (frame: number) => {
      const values = frames.subarray(frame * 32, frame * 32 + 32)
      return values.indexOf(Math.max(...values))
    }
    // 80 Hz is 122 mel, 7.6 kHz is 2,786 mel; 1 kHz is 1,000 mel: 10.9 of 33 steps.
    expect([band(0), band(3), band(7)]).toEqual([10, 10, 10])
  })
})
