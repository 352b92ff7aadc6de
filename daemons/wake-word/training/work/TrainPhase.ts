/**
 * Phase 5, `train`: trains the network. Its state is stored every few seconds; a phase that begins again continues from
 * there, if the clips are still the same.
 */
import { Result } from "effect"
import { readFile, rm } from "node:fs/promises"
import { join } from "node:path"
import { trainingSet } from "#protocols/wake-word/Collect.ts"
import { seedOf } from "#protocols/wake-word/Random.ts"
import type { Trainer, TrainingSet } from "#protocols/wake-word/Train.ts"
import { makeTrainer, type TrainingSettings } from "#protocols/wake-word/TrainHead.ts"
import { writeResult, writeWhole } from "./Artefacts.ts"
import { allClips } from "./Clips.ts"
import { bytesOf, type WeightsEntry } from "./Entries.ts"
import type { PhaseContext } from "./PhaseContext.ts"
import { plans } from "./Sizes.ts"

/** Steps of the optimiser between two reports. */
const slice = 10

/** Interval of stored states. Unit: milliseconds. */
const checkpointEvery = 5_000

export const trainPhase = async ({ progress, start }: PhaseContext): Promise<void> => {
  const { folder, seed, size } = start
  const { training } = plans[size]
  const set = trainingSet(await allClips(start))
  const checkpoint = join(folder, "checkpoint.bin")
  const trainer = await begun(set, { ...training, seed: seedOf(seed, "train") }, checkpoint)
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
