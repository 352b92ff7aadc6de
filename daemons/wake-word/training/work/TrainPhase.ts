/**
 * Phase 5, `train`: trains the network. Its state is stored every few seconds; a phase that begins again continues from
 * there, if the clips are still the same.
 */
import { Result } from "effect"
import { readFile, rm } from "node:fs/promises"
import { join } from "node:path"
import { clipSamples } from "#protocols/wake-word/Augment.ts"
import { allWindows, lastWindows, type Windows } from "#protocols/wake-word/Features.ts"
import { seedOf } from "#protocols/wake-word/Random.ts"
import { embeddingSize, stepSamples } from "#protocols/wake-word/Shape.ts"
import { makeTrainer, type Trainer, type TrainingSet, type TrainingSettings } from "#protocols/wake-word/Train.ts"
import { readData, readIndex, writeResult, writeWhole } from "./Artefacts.ts"
import { bytesOf, floatsOf, type RowsEntry, type WeightsEntry } from "./Entries.ts"
import type { PhaseStart } from "./Messages.ts"
import type { PhaseContext } from "./PhaseContext.ts"
import { plans } from "./Sizes.ts"

/** Steps of the optimiser between two reports. */
const slice = 10

/** Interval of stored states. Unit: milliseconds. */
const checkpointEvery = 5_000

/** Rows of one placed copy. */
const rowsOfCopy = Math.floor(clipSamples / stepSamples)

export const trainPhase = async ({ progress, start }: PhaseContext): Promise<void> => {
  const { folder, seed, size } = start
  const { hidden, steps } = plans[size].training
  const set = await trainingSet(start)
  const checkpoint = join(folder, "checkpoint.bin")
  const trainer = await begun(set, { seed: seedOf(seed, "train"), hidden, steps }, checkpoint)
  let stored = Date.now()
  while (!trainer.done()) {
    trainer.run(slice)
    progress(trainer.progress())
    if (Date.now() - stored > checkpointEvery) {
      await writeWhole(checkpoint, trainer.checkpoint())
      stored = Date.now()
    }
    // Lets messages leave the thread.
    await new Promise((resolve) => setImmediate(resolve))
  }
  const weights = trainer.weights()
  await writeResult<WeightsEntry>(folder, "train", ({ add }) =>
    add({ hidden: weights.hidden }, bytesOf(weights.values))
  )
  await rm(checkpoint, { force: true })
}

/** Continues from the stored state where it fits. */
const begun = async (set: TrainingSet, settings: TrainingSettings, checkpoint: string): Promise<Trainer> => {
  const stored = await readFile(checkpoint).catch(() => undefined)
  if (stored !== undefined) {
    const continued = makeTrainer(set, settings, new Uint8Array(stored))
    if (Result.isSuccess(continued)) return continued.success
  }
  return Result.getOrThrow(makeTrainer(set, settings))
}

const trainingSet = async ({ folder, recordingRows }: PhaseStart): Promise<TrainingSet> => {
  const entries = await readIndex<RowsEntry>(folder, "features")
  const spoken = floatsOf(await readData(folder, "features"))
  const recorded = recordingRows.filter(({ held_out }) => !held_out).map(({ features }) => floatsOf(features))
  const all = joined([spoken, ...recorded])
  const windows = (choose: (entry: RowsEntry) => boolean, which: "all" | "last"): Windows =>
    merged(
      all,
      entries.filter(choose).map((entry) => shifted(spoken, entry, which))
    )
  const first = spoken.length / embeddingSize
  const copies = Math.floor((all.length - spoken.length) / embeddingSize / rowsOfCopy)
  const ofRecordings = Array.from({ length: copies }, (_, copy) => {
    const from = first + copy * rowsOfCopy
    return lastOf(all.subarray(from * embeddingSize, (from + rowsOfCopy) * embeddingSize), rowsOfCopy, from)
  })
  const spokenPositives = windows(({ kind, part }) => kind === "positive" && part === "train", "last")
  return {
    positives: merged(all, [spokenPositives.starts, ...ofRecordings]),
    adversarial: windows(({ kind, part }) => kind === "adversarial" && part === "train", "all"),
    negatives: windows(({ kind, part }) => kind === "negative" && part === "train", "all"),
    checkPositives: windows(({ kind, part }) => kind === "positive" && part === "check", "last"),
    checkNegatives: windows(({ kind, part }) => kind !== "positive" && part === "check", "all")
  }
}

/** Windows of one clip, as row numbers of all rows. */
const shifted = (spoken: Float32Array, { from, rows }: RowsEntry, which: "all" | "last"): Uint32Array => {
  const part = spoken.subarray(from * embeddingSize, (from + rows) * embeddingSize)
  return which === "last" ? lastOf(part, rows, from) : allWindows(part, [rows]).starts.map((at) => at + from)
}

const lastOf = (part: Float32Array, rows: number, from: number): Uint32Array =>
  lastWindows(part, [rows]).starts.map((at) => at + from)

const merged = (rows: Float32Array, starts: ReadonlyArray<Uint32Array>): Windows => ({
  rows,
  starts: Uint32Array.from(starts.flatMap((part) => Array.from(part)))
})

const joined = (parts: ReadonlyArray<Float32Array>): Float32Array => {
  const whole = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
