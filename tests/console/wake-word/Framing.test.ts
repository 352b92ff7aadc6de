/** Frames of the wake word's library: cutting, clipping, resampling of a stream, and levels. */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { resample } from "#protocols/wake-word/Resample.ts"
import { Framer, frameSamples, levelOf, meterOf, toInt16 } from "../../../console/wake-word/Framing.ts"
import { StreamResampler } from "../../../console/wake-word/StreamResampler.ts"

/** Cuts `samples` into pieces of these lengths, again and again. */
const pieces = (samples: Float32Array, lengths: ReadonlyArray<number>): ReadonlyArray<Float32Array> => {
  const found: Array<Float32Array> = []
  for (let at = 0, turn = 0; at < samples.length; turn++) {
    const length = lengths[turn % lengths.length]!
    found.push(samples.subarray(at, at + length))
    at += length
  }
  return found
}

const lengths = fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1, maxLength: 6 })

/** A sweep of several tones, -1 to 1. */
const sound = (count: number): Float32Array =>
  Float32Array.from({ length: count }, (_, at) => 0.6 * Math.sin(at * at * 1e-6) + 0.3 * Math.sin(at * 0.11))

describe("frames", () => {
  it("have 256 samples whatever the chunking is, and contain each sample once", () => {
    const samples = sound(3_000)
    fc.assert(
      fc.property(lengths, (lengths) => {
        const framer = new Framer()
        const frames = pieces(samples, lengths).flatMap((piece) => framer.push(piece))
        expect(frames.length).toBe(Math.floor(samples.length / frameSamples))
        expect(frames.every((frame) => frame.length === 256)).toBe(true)
        expect(frames.flatMap((frame) => [...frame])).toEqual(
          Array.from(samples.subarray(0, frames.length * frameSamples), toInt16)
        )
      }),
      { numRuns: 20 }
    )
  })

  it("clip samples that are too loud", () => {
    expect([-1, 1, 0, -2, 2, 0.5].map(toInt16)).toEqual([-32_768, 32_767, 0, -32_768, 32_767, 16_384])
  })
})

describe("resampling of a stream", () => {
  it.each([44_100, 48_000, 8_000])("equals that of the whole clip, from %i Hz", (rate) => {
    const samples = sound(Math.round(rate / 2))
    const whole = resample(samples, rate, 16_000)
    fc.assert(
      fc.property(lengths, (lengths) => {
        const resampler = new StreamResampler(rate)
        const out = pieces(samples, lengths).flatMap((piece) => [...resampler.push(piece)])
        // The last samples wait for those after them.
        expect(out.length).toBeGreaterThan(whole.length - 0.05 * 16_000)
        expect(Math.max(...out.map((value, at) => Math.abs(value - whole[at]!)))).toBeLessThan(1e-6)
      }),
      { numRuns: 5 }
    )
  })

  it("passes 16 kHz on", () => {
    const samples = sound(128)
    expect(new StreamResampler(16_000).push(samples)).toBe(samples)
  })
})

describe("levels", () => {
  it("are the root mean square of a frame", () => {
    expect(levelOf(new Int16Array(256))).toBe(0)
    expect(levelOf(new Int16Array(256).fill(16_384))).toBe(0.5)
    expect(levelOf(new Int16Array(0))).toBe(0)
  })

  it("are shown in decibels, from -60", () => {
    expect([0, 0.0001, 0.001, 1, 2].map(meterOf)).toEqual([0, 0, 0, 1, 1])
    expect(meterOf(0.1)).toBeCloseTo(2 / 3, 6)
  })
})
