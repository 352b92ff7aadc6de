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

  it("expects false accepts where none was measured, by those at lower thresholds", () => {
    // Accepts an hour: 64 at 0.5, half as many with each further 0.5 of the logit, none above 0.98.
    const curve = thresholds.map((threshold) => {
      const accepts = Math.round(64 * 2 ** (-2 * Math.log(threshold / (1 - threshold))))
      return {
        threshold,
        falseAcceptsPerHour: threshold > 0.975 ? 0 : accepts,
        missRate: threshold > 0.985 ? 0.005 : 0
      }
    })
    // 0.98 has no measured accept, but 0.3 are expected: as much as 3 % of misses, and more than those at 0.99.
    expect(chooseThreshold({ hours: 1, positives: 100, curve })).toBeGreaterThan(0.98)
  })

  it("chooses a threshold for a model that accepts nearly everything", () => {
    const curve = thresholds.map((threshold) => ({
      threshold,
      falseAcceptsPerHour: threshold < 0.999 ? 1_800 : 5,
      missRate: 0
    }))
    expect(chooseThreshold({ hours: 1, positives: 100, curve })).toBe(0.999)
  })

  it("is not moved by the last accept of three hours", () => {
    // Accepts: 20 at 0.5, half as many with each further 0.3 of the logit, and one that stays until 0.97. Each step of
    // the threshold above 0.9 misses more.
    const curve = (last: number) =>
      thresholds.map((threshold) => {
        const accepts = Math.round(20 * 2 ** (-Math.log(threshold / (1 - threshold)) / 0.3))
        return {
          threshold,
          falseAcceptsPerHour: Math.max(accepts, threshold < last ? 1 : 0) / 3,
          missRate: Math.max(0, threshold - 0.9)
        }
      })
    const measured = (last: number) => ({ hours: 3, positives: 100, curve: curve(last) })
    const [without, one] = [chooseThreshold(measured(0)), chooseThreshold(measured(0.97))]
    expect([without, one]).toEqual([0.9, 0.9])
  })
})
