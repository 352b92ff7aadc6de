/** Decisions of the pages of the wake word: progress of trainings, scales, WAV files and groups of uploads. */
import { describe, expect, it } from "vitest"
import { gate } from "#daemons/wake-word/models/Gate.ts"
import { readWav } from "#protocols/wake-word/Wav.ts"
import { inGerman } from "../../../../console/pages/wake-word/GermanSentences.ts"
import { falseAcceptTop, nearest, roundTop } from "../../../../console/pages/wake-word/models/CurveScale.ts"
import { batches } from "../../../../console/pages/wake-word/recordings/Batches.ts"
import { Take, wavOf } from "../../../../console/pages/wake-word/recordings/Wav.ts"
import { applied } from "../../../../console/pages/wake-word/training/Progress.ts"
import { withScore, withWake } from "../../../../console/pages/wake-word/try/Scores.ts"
import { model, type phases, training } from "./Answers.ts"

const event = (phase: (typeof phases)[number] | null, progress: number, state: "running" | "done" = "running") => ({
  job_id: training("a").id,
  state,
  phase,
  progress,
  problem: null
})

describe("progress of a training", () => {
  it("completes the phases before the one that runs", () => {
    const [after] = applied([training("a"), training("b", { id: "other" })], event("validate", 0.3))!
    expect(after!.phases.map(({ progress }) => progress)).toEqual([1, 1, 1, 1, 1, 0.3, 0])
    expect(after!.phase).toBe("validate")
  })

  it("loads again after a change of state, or for an unknown training", () => {
    expect(applied([training("a")], event("save", 1, "done"))).toBeUndefined()
    expect(applied([], event("train", 0.1))).toBeUndefined()
  })
})

describe("the curve", () => {
  it.each([
    [0.3, 0.5, 0.5],
    [0.51, 0.5, 1],
    [7, 1, 10],
    [20, 1, 20],
    [0, 2, 2]
  ])("has a round top for %d, at least %d", (value, least, top) => {
    expect(roundTop(value, least)).toBeCloseTo(top, 9)
  })

  it("fits what happens from the chosen threshold on, not the hundreds below", () => {
    const { curve } = model("a")
    expect(falseAcceptTop(curve, 0.5, 0.45)).toBe(1)
    expect(falseAcceptTop(curve, 0.5, 0.1)).toBeGreaterThan(5)
    expect(nearest(curve, 0.46)!.threshold).toBe(0.45)
    expect(nearest([], 0.5)).toBeUndefined()
  })
})

describe("a recording", () => {
  it("is a WAV file that the server reads", () => {
    const samples = Int16Array.from({ length: 1_000 }, (_, at) => at * 13 - 6_000)
    const read = readWav(wavOf(samples), { seconds: 3 })
    expect(read).toMatchObject({ _tag: "Success", success: samples })
  })

  it("ends after three seconds, in the middle of a frame", () => {
    const take = new Take(3)
    const frame = new Int16Array(256).fill(7)
    for (let count = 0; count < 187; count++) expect(take.push(frame)).toBe(false)
    expect(take.push(frame)).toBe(true)
    expect([take.samples.length, take.length]).toEqual([48_000, 3_000])
    expect(take.push(frame)).toBe(true)
    expect(take.samples.length).toBe(48_000)
  })
})

describe("uploads", () => {
  const file = (size: number) => ({ file: { size } })
  it("are at most 20 files and 24 MB in a request", () => {
    expect(batches(Array.from({ length: 41 }, () => file(100))).map((batch) => batch.length)).toEqual([20, 20, 1])
    const megabytes = 1024 * 1024
    expect(batches([5, 5, 5, 5, 5, 1].map((size) => file(size * megabytes))).map((batch) => batch.length)).toEqual([
      4, 2
    ])
    expect(batches([file(30 * megabytes), file(1)]).map((batch) => batch.length)).toEqual([1, 1])
    expect(batches([])).toEqual([])
  })
})

it("keeps the last hundred scores and twenty wakes", () => {
  let scores: ReadonlyArray<number> = []
  for (let count = 0; count < 150; count++) scores = withScore(scores, count)
  expect([scores.length, scores[0], scores.at(-1)]).toEqual([100, 50, 149])
  let wakes: ReturnType<typeof withWake> = []
  for (let at = 0; at < 30; at++) wakes = withWake(wakes, { at, score: 1, word: "a", by: "server" })
  expect([wakes.length, wakes[0]!.at, wakes.at(-1)!.at]).toEqual([20, 29, 10])
})

it("has a German sentence for every reason of the gate", () => {
  const none = { ...model("a").metrics, false_accepts_per_hour: null, miss_rate: null, negative_hours: 0.25 }
  const reasons = [
    ...gate({ ...none, utterances: 3 }),
    ...gate({ ...none, false_accepts_per_hour: 2.4, miss_rate: 0.125 }),
    ...model("a").metrics.notes
  ]
  expect(reasons.length).toBeGreaterThan(6)
  for (const reason of reasons) expect(inGerman(reason), reason).toBeDefined()
  expect(inGerman("2.4 false accepts an hour, more than 0.5")).toBe("2,4 Fehlauslösungen in der Stunde, mehr als 0,5")
})
