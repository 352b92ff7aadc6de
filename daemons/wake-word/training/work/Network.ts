/** Trains one network in a helper thread. Its state is stored every few seconds. */
import { Result } from "effect"
import { readFile } from "node:fs/promises"
import { makeNetworkTrainer, type Trainer } from "#protocols/wake-word/Train.ts"
import { writeWhole } from "./Artefacts.ts"
import type { Tasks } from "./Tasks.ts"

/** Steps of the optimiser between two reports. */
const slice = 10

/** Interval of stored states. Unit: milliseconds. */
const checkpointEvery = 5_000

/** Returns the weights. `progress`: called with the share that is done, 0 to 1. */
export const trainNetwork = async (
  task: Tasks["train"]["task"],
  progress: (share: number) => void
): Promise<Float32Array> => {
  const trainer = await begun(task)
  let stored = Date.now()
  while (!trainer.done()) {
    trainer.run(slice)
    progress(trainer.progress())
    if (Date.now() - stored > checkpointEvery) {
      await writeWhole(task.checkpoint, trainer.checkpoint())
      stored = Date.now()
    }
  }
  return trainer.weights().values
}

/** Continues from the stored state where it fits. */
const begun = async ({ checkpoint, set, settings }: Tasks["train"]["task"]): Promise<Trainer> => {
  const stored = await readFile(checkpoint).catch(() => undefined)
  if (stored !== undefined) {
    const continued = makeNetworkTrainer(set, settings, new Uint8Array(stored))
    if (Result.isSuccess(continued)) return continued.success
  }
  return Result.getOrThrow(makeNetworkTrainer(set, settings))
}
