import { describe, expect, it } from "vitest"
import { augment, clipSamples, noiseLevel, placeClip, trimSilence } from "#protocols/wake-word/Augment.ts"
import { prepareClip, recordingCopies } from "#protocols/wake-word/Prepare.ts"
import { makeRandom } from "#protocols/wake-word/Random.ts"

const tone = (samples: number, hertz = 1_000) =>
  Int16Array.from({ length: samples }, (_, at) => 8_000 * Math.sin((2 * Math.PI * hertz * at) / 16_000))
const padded = (clip: Int16Array, before: number, behind: number) => {
  const all = new Int16Array(before + clip.length + behind)
  all.set(clip, before)
  return all
}
const energy = (clip: Int16Array) => Math.sqrt(clip.reduce((sum, sample) => sum + sample * sample, 0) / clip.length)

describe("placeClip", () => {
  it("puts the word 0 to 200 ms before the end of 2 s", () => {
    const word = padded(tone(8_000), 5_000, 3_000)
    const ends = Array.from({ length: 40 }, (_, seed) => {
      const placed = placeClip(word, makeRandom(seed))
      expect(placed.length).toBe(clipSamples)
      const trimmed = trimSilence(placed)
      expect(Math.abs(trimmed.length - 8_000)).toBeLessThan(400)
      return clipSamples - placed.findLastIndex((sample) => sample !== 0)
    })
    expect(Math.min(...ends)).toBeLessThan(500)
    expect(Math.max(...ends)).toBeGreaterThan(2_800)
    expect(Math.max(...ends)).toBeLessThan(3_600)
  })

  it("keeps the end of a clip that is too long, and puts other speech before the word", () => {
    const long = Int16Array.from({ length: 2 * clipSamples }, (_, at) => (at < clipSamples ? 5_000 : 10_000))
    expect(placeClip(long, makeRandom(1))[0]).toBe(10_000)
    const placed = placeClip(tone(8_000), makeRandom(2), clipSamples, tone(40_000, 200))
    expect(energy(placed.subarray(0, 10_000))).toBeGreaterThan(5_000)
    const silence = placeClip(new Int16Array(100), makeRandom(2))
    expect(energy(silence)).toBe(0)
  })
})

describe("augment", () => {
  it("depends only on the random numbers, and never overflows", () => {
    const loud = Int16Array.from({ length: 16_000 }, (_, at) => (at % 20 < 10 ? 32_767 : -32_768))
    for (let seed = 0; seed < 30; seed++) {
      const clip = augment(loud, makeRandom(seed))
      expect(clip).toEqual(augment(loud, makeRandom(seed)))
      expect(clip.length).toBe(loud.length)
      // An overflow would turn the sign in the middle of a half wave.
      expect(energy(clip)).toBeGreaterThan(500)
    }
  })

  it("adds white noise 25 dB below the RMS of the sound, whatever the silence around it", () => {
    for (const silence of [2_000, 100_000]) {
      const clip = padded(tone(16_000), silence, silence)
      const levels = Array.from({ length: 20 }, (_, seed) => {
        const noisy = augment(clip, makeRandom(seed))
        return (
          20 * Math.log10(energy(noisy.subarray(0, 1_500)) / energy(noisy.subarray(silence + 4_000, silence + 12_000)))
        )
      }).sort((a, b) => a - b)
      // The room and the band-stop change the tone of some variants.
      expect(levels[10]).toBeGreaterThan(noiseLevel - 2)
      expect(levels[10]).toBeLessThan(noiseLevel + 2)
    }
  })

  it("gives silence the noise of a quiet room", () => {
    const clip = augment(new Int16Array(16_000), makeRandom(3))
    expect(energy(clip)).toBeGreaterThan(1)
  })
})

describe("prepareClip", () => {
  it("makes several variants for training and one otherwise", () => {
    const options = { seed: 1, index: 4 }
    const train = prepareClip({ kind: "positive", part: "train" }, tone(8_000), options)
    expect(train.length).toBe(2)
    expect(new Set(train.map((clip) => clip.join())).size).toBe(train.length)
    const recording = { ...options, count: recordingCopies }
    expect(prepareClip({ kind: "positive", part: "train" }, tone(8_000), recording)).toHaveLength(recordingCopies)
    expect(prepareClip({ kind: "positive", part: "heldOut" }, tone(8_000), recording)).toHaveLength(1)
    expect(prepareClip({ kind: "positive", part: "heldOut" }, tone(8_000), options).map((clip) => clip.length)).toEqual(
      [clipSamples + 8_000]
    )
    expect(prepareClip({ kind: "negative", part: "check" }, tone(9_999), options).map((clip) => clip.length)).toEqual([
      9_999
    ])
  })
})
