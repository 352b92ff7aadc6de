import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { allWindows } from "#protocols/wake-word/Features.ts"
import { initialHead, makeHeadPass, scoreHead } from "#protocols/wake-word/Head.ts"
import { makeRandom } from "#protocols/wake-word/Random.ts"
import { embeddingSize, headInputs, headSteps } from "#protocols/wake-word/Shape.ts"
import { makeNetworkTrainer, type TrainingSet } from "#protocols/wake-word/Train.ts"
import { networkSettings } from "#protocols/wake-word/TrainHead.ts"
import { readCheckpoint } from "#protocols/wake-word/TrainingState.ts"

const settings = { seed: 5, hidden: 8, steps: 160, round: 50 }

/** Rows of noise; those of the word also contain a pattern at three steps. */
const clips = (count: number, word: boolean, seed: number) => {
  const random = makeRandom(seed)
  const rows = Float32Array.from({ length: count * headInputs }, () => random.normal())
  if (word)
    for (let clip = 0; clip < count; clip++)
      for (const step of [9, 11, 13])
        for (let at = 0; at < 20; at++) rows[(clip * headSteps + step) * embeddingSize + at]! += step % 4 === 1 ? 3 : -3
  return allWindows(
    rows,
    Array.from({ length: count }, () => headSteps)
  )
}

const set: TrainingSet = {
  positives: clips(120, true, 1),
  adversarial: clips(30, false, 2),
  negatives: clips(300, false, 3),
  checkPositives: clips(40, true, 4),
  checkNegatives: clips(200, false, 5)
}

const trainer = (from?: Uint8Array) => Result.getOrThrow(makeNetworkTrainer(set, settings, from))

describe("makeNetworkTrainer", () => {
  it("learns a pattern, and the same from the same seed, also with a break in between", { timeout: 60_000 }, () => {
    const whole = trainer()
    whole.run(settings.steps)
    expect([whole.done(), whole.progress()]).toEqual([true, 1])
    const first = trainer()
    // In the middle of each round.
    first.run(30)
    expect([first.done(), first.progress()]).toEqual([false, 30 / settings.steps])
    const second = trainer(first.checkpoint())
    second.run(settings.round)
    const third = trainer(second.checkpoint())
    third.run(settings.steps)
    expect(third.done()).toBe(true)
    expect(third.weights()).toEqual(whole.weights())
    expect(third.loss()).toBe(whole.loss())

    const scores = (seed: number, word: boolean) => {
      const { rows } = clips(50, word, seed)
      return Array.from({ length: 50 }, (_, at) =>
        scoreHead(whole.weights(), rows.subarray(at * headInputs, (at + 1) * headInputs))
      )
    }
    const negatives = scores(7, false).sort((a, b) => a - b)
    // Above nine of ten others.
    expect(scores(6, true).filter((score) => score > negatives[45]!).length).toBeGreaterThan(45)
  })

  it("looks for hard negatives in the first half in one round, and in the second half in the next", () => {
    const begun = trainer()
    const hard = () => {
      const { hard } = Result.getOrThrow(readCheckpoint(settings, begun.checkpoint()))
      return [...hard].toSorted((a, b) => a - b)
    }
    const half = set.negatives.starts.length / 2
    begun.run(1)
    expect(hard()).toEqual(Array.from({ length: half }, (_, at) => at))
    begun.run(settings.round)
    expect(hard()).toEqual(Array.from({ length: half }, (_, at) => half + at))
  })

  it("refuses a checkpoint of other settings, and a cut one", () => {
    const started = trainer()
    started.run(1)
    const checkpoint = started.checkpoint()
    const why = (bytes: Uint8Array, seed = settings.seed) => {
      const made = makeNetworkTrainer(set, { ...settings, seed }, bytes)
      return Result.isFailure(made) ? made.failure.reason._tag : "accepted"
    }
    expect(why(checkpoint)).toBe("accepted")
    expect([why(checkpoint, 6), why(checkpoint.subarray(0, 500)), why(new Uint8Array())]).toEqual(
      Array.from({ length: 3 }, () => "BadCheckpoint")
    )
  })
})

describe("networkSettings", () => {
  it("gives each network a seed of its own", () => {
    const networks = networkSettings({ ...settings, networks: 3 })
    expect(networks[0]).toEqual(settings)
    expect(new Set(networks.map(({ seed }) => seed)).size).toBe(3)
    expect(networkSettings({ ...settings, networks: 3 })).toEqual(networks)
  })
})

describe("makeHeadPass", () => {
  it("computes the gradients of a look", () => {
    const random = makeRandom(9)
    const { values } = initialHead(4, random)
    const input = Float32Array.from({ length: headInputs }, () => random.normal())
    const pass = makeHeadPass(4)
    pass.forward(values, input, 0)
    const gradients = new Float32Array(values.length)
    pass.backward(values, input, 0, 1, gradients)
    const step = 1e-3
    for (let at = 0; at < values.length; at += 31) {
      const moved = (by: number) => {
        const changed = values.slice()
        changed[at]! += by
        return pass.forward(changed, input, 0)
      }
      expect(gradients[at]).toBeCloseTo((moved(step) - moved(-step)) / (2 * step), 2)
    }
  })
})
