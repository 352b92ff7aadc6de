import { describe, expect, it } from "vitest"
import { debounceSteps } from "#protocols/wake-word/Shape.ts"
import { chooseThreshold, countWakes, measure, pointAt, thresholds } from "#protocols/wake-word/Validate.ts"

const scores = (length: number, peaks: Readonly<Record<number, number>>) =>
  Float32Array.from({ length }, (_, at) => peaks[at] ?? 0.01)

describe("countWakes", () => {
  it("counts one wake in two seconds, and none in the first five steps", () => {
    expect(countWakes(scores(100, { 2: 0.9, 10: 0.9, 11: 0.9, 34: 0.9, 35: 0.9 }), 0.5)).toBe(2)
    expect(countWakes(new Float32Array(5 + 4 * debounceSteps).fill(1), 0.5)).toBe(4)
  })
})

describe("measure", () => {
  // 45,000 steps are an hour.
  const negatives = [scores(45_000, { 100: 0.6, 200: 0.8 }), scores(45_000, { 300: 0.6 })]
  const positives = [scores(30, { 20: 0.9 }), scores(30, { 20: 0.7 }), scores(30, { 3: 1 }), scores(30, { 29: 0.95 })]

  it("counts false accepts an hour and misses at each threshold", () => {
    const measured = measure(negatives, positives)
    expect(measured.hours).toBeCloseTo(2, 9)
    expect(measured.positives).toBe(4)
    expect(pointAt(measured, 0.5)).toEqual({ threshold: 0.5, falseAcceptsPerHour: 1.5, missRate: 0.25 })
    expect(pointAt(measured, 0.75)).toEqual({ threshold: 0.75, falseAcceptsPerHour: 0.5, missRate: 0.5 })
    expect(pointAt(measured, 0.97).missRate).toBe(1)
  })

  it("has no miss rate without the word, and no false accepts without speech", () => {
    expect(pointAt(measure(negatives, []), 0.5).missRate).toBeNaN()
    expect(pointAt(measure([], positives), 0.5).falseAcceptsPerHour).toBe(0)
  })

  it("chooses the middle of the best thresholds", () => {
    const clear = measure([scores(45_000, { 100: 0.32 })], [scores(30, { 20: 0.72 })])
    expect(chooseThreshold(clear)).toBe(0.55)
  })

  it("finds a threshold between scores of the word and of other speech that are close together", () => {
    const close = measure([scores(45_000, { 100: 0.932 })], [scores(30, { 20: 0.938 })])
    expect(pointAt(close, chooseThreshold(close))).toMatchObject({ falseAcceptsPerHour: 0, missRate: 0 })
  })

  it("chooses a threshold as far from too many false accepts as from too many misses", () => {
    // The limit of false accepts is kept from 0.7 on, and by chance at 0.05; that of misses up to 0.96. The logits of
    // 0.7 and 0.96 are 0.85 and 3.18.
    const curve = thresholds.map((threshold) => ({
      threshold,
      falseAcceptsPerHour: threshold > 0.06 && threshold < 0.69 ? 0.6 : 0.5,
      missRate: threshold > 0.961 ? 0.06 : 0.05
    }))
    expect(chooseThreshold({ hours: 3, positives: 100, curve })).toBe(0.88)
  })

  it("exceeds the limits as little as possible when no threshold keeps both", () => {
    const curve = thresholds.map((threshold) => ({
      threshold,
      // At 0.9 the misses are twice their limit; at 0.85 the false accepts are three times theirs.
      falseAcceptsPerHour: threshold < 0.85 ? 9 : threshold < 0.9 ? 1.5 : 0,
      missRate: threshold < 0.9 ? 0 : threshold > 0.905 ? 0.2 : 0.1
    }))
    expect(chooseThreshold({ hours: 3, positives: 100, curve })).toBe(0.9)
  })

  it("chooses a threshold for a model that accepts nearly everything", () => {
    const curve = thresholds.map((threshold) => ({
      threshold,
      falseAcceptsPerHour: threshold < 0.999 ? 1_800 : 5,
      missRate: 0
    }))
    expect(chooseThreshold({ hours: 1, positives: 100, curve })).toBe(0.999)
  })
})
