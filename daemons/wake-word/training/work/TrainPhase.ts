/**
 * Phase 5, `train`: trains the networks at the same time, each in a helper thread. A phase that begins again continues
 * from their stored states, if the clips are still the same.
 */
import { rm } from "node:fs/promises"
import { join } from "node:path"
import { trainingSet } from "#protocols/wake-word/Collect.ts"
import type { Windows } from "#protocols/wake-word/Features.ts"
import { type HeadWeights, joinNetworks } from "#protocols/wake-word/Head.ts"
import { seedOf } from "#protocols/wake-word/Random.ts"
import type { TrainingSet } from "#protocols/wake-word/Train.ts"
import { networkSettings, type TrainingSettings } from "#protocols/wake-word/TrainHead.ts"
import { writeResult } from "./Artefacts.ts"
import { allClips } from "./Clips.ts"
import { bytesOf, type WeightsEntry } from "./Entries.ts"
import type { Helpers } from "./Helpers.ts"
import type { PhaseContext } from "./PhaseContext.ts"
import { plans } from "./Sizes.ts"

export const trainPhase = async ({ helpers, progress, start }: PhaseContext): Promise<void> => {
  const { folder, seed, size } = start
  const { training } = plans[size]
  const set = trainingSet(await allClips(start))
  const weights = await trainNetworks(set, { ...training, seed: seedOf(seed, "train") }, folder, helpers, progress)
  await writeResult<WeightsEntry>(folder, "train", ({ add }) =>
    add({ hidden: weights.hidden }, bytesOf(weights.values))
  )
  for (let number = 0; number < training.networks; number++) await rm(checkpointOf(folder, number), { force: true })
}

/** State of one network. */
const checkpointOf = (folder: string, number: number): string => join(folder, `checkpoint-${number}.bin`)

/** Returns the weights of all networks. */
export const trainNetworks = async (
  set: TrainingSet,
  settings: TrainingSettings,
  folder: string,
  helpers: Pick<Helpers, "run">,
  progress: (share: number) => void
): Promise<HeadWeights> => {
  const inAllThreads = sharedSet(set)
  const networks = networkSettings(settings)
  const shares = networks.map(() => 0)
  const trained = await Promise.all(
    networks.map(async (network, number) => {
      const task = { set: inAllThreads, settings: network, checkpoint: checkpointOf(folder, number) }
      const [values] = await helpers.run("train", task, (share) => {
        shares[number] = share
        progress(shares.reduce((sum, each) => sum + each, 0) / shares.length)
      })
      return values!
    })
  )
  return joinNetworks(settings.hidden, trained)
}

/** A copy of the set in memory that all threads can read. Reason: a full training has 100 MB, too much for each. */
const sharedSet = ({
  adversarial,
  checkNegatives,
  checkPositives,
  negatives,
  positives
}: TrainingSet): TrainingSet => ({
  positives: shared(positives),
  adversarial: shared(adversarial),
  negatives: shared(negatives),
  checkPositives: shared(checkPositives),
  checkNegatives: shared(checkNegatives)
})

const shared = ({ rows, starts }: Windows): Windows => {
  const copy = {
    rows: new Float32Array(new SharedArrayBuffer(rows.byteLength)),
    starts: new Uint32Array(new SharedArrayBuffer(starts.byteLength))
  }
  copy.rows.set(rows)
  copy.starts.set(starts)
  return copy
}
