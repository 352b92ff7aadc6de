import { Effect, Result } from "effect"
import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { readData, writeResult } from "#daemons/wake-word/training/work/Artefacts.ts"
import { allClips } from "#daemons/wake-word/training/work/Clips.ts"
import { bytesOf, floatsOf, type RowsEntry } from "#daemons/wake-word/training/work/Entries.ts"
import { trainNetwork } from "#daemons/wake-word/training/work/Network.ts"
import { runPhase } from "#daemons/wake-word/training/work/PhaseThread.ts"
import { plans } from "#daemons/wake-word/training/work/Sizes.ts"
import { trainNetworks } from "#daemons/wake-word/training/work/TrainPhase.ts"
import { trainingSet } from "#protocols/wake-word/Collect.ts"
import { joinNetworks } from "#protocols/wake-word/Head.ts"
import { makeRandom, seedOf } from "#protocols/wake-word/Random.ts"
import { embeddingSize } from "#protocols/wake-word/Shape.ts"
import { makeNetworkTrainer, type NetworkSettings, type TrainingSet } from "#protocols/wake-word/Train.ts"
import { networkSettings } from "#protocols/wake-word/TrainHead.ts"
import { startState, writeCheckpoint } from "#protocols/wake-word/TrainingState.ts"
import { startOf, withFolder } from "./PhaseRun.ts"

/** Rows of a placed clip, and of other speech. */
const lengths = { positive: 25, adversarial: 25, negative: 60 }

/** Writes embeddings of noise, as the phase `features` does. */
const writeNoise = async (folder: string, seed: number): Promise<void> => {
  const random = makeRandom(seed)
  let from = 0
  await writeResult<RowsEntry>(folder, "features", async ({ add }) => {
    for (const part of ["train", "check", "heldOut"] as const)
      for (const kind of ["positive", "adversarial", "negative"] as const)
        for (let clip = 0; clip < 8; clip++) {
          const rows = lengths[kind]
          const values = Float32Array.from({ length: rows * embeddingSize }, () => random.normal())
          await add({ kind, part, voice: "de", from, rows }, bytesOf(values))
          from += rows
        }
  })
}

const training = { word: "computer", language: "de", seed: 3, size: "small" } as const

const setIn = async (folder: string): Promise<TrainingSet> =>
  trainingSet(await allClips(startOf("train", folder, training)))

/** The weights of a network that is trained without a thread and without a break. */
const trained = (set: TrainingSet, settings: NetworkSettings, checkpoint?: Uint8Array): Float32Array => {
  const trainer = Result.getOrThrow(makeNetworkTrainer(set, settings, checkpoint))
  while (!trainer.done()) trainer.run(settings.steps)
  return trainer.weights().values
}

it("trains the same weights in its thread as without a thread", async () => {
  await withFolder(async (folder) => {
    await writeNoise(folder, 1)
    const settings = { ...plans.small.training, seed: seedOf(training.seed, "train") }
    const [network, ...others] = networkSettings(settings)
    expect(others).toEqual([])
    // All steps take seconds.
    const checkpoint = writeCheckpoint(network!, { ...startState(network!), step: settings.steps - 5 })
    const expected = trained(await setIn(folder), network!, checkpoint)
    writeFileSync(join(folder, "checkpoint-0.bin"), checkpoint)
    const shares: Array<number> = []
    await Effect.runPromise(runPhase(startOf("train", folder, training), (share) => shares.push(share)))
    expect(shares).toEqual([1])
    expect(floatsOf(await readData(folder, "train"))).toEqual(expected)
    expect(existsSync(join(folder, "checkpoint-0.bin"))).toBe(false)
  })
})

it("trains several networks, and continues each from its own state", async () => {
  await withFolder(async (folder) => {
    await writeNoise(folder, 1)
    const set = await setIn(folder)
    const settings = { seed: 5, hidden: 4, steps: 10, round: 4, networks: 2 }
    const networks = networkSettings(settings)
    const train = () =>
      trainNetworks(
        set,
        settings,
        folder,
        { run: async (_, task, progress) => [(await trainNetwork(task as never, progress!)) as never] },
        () => undefined
      )
    const alone = networks.map((network) => trained(set, network))
    expect(await train()).toEqual(joinNetworks(settings.hidden, alone))
    // A state that another set led to: the continued network differs from one that began anew.
    await writeNoise(folder, 2)
    const begun = Result.getOrThrow(makeNetworkTrainer(await setIn(folder), networks[1]!))
    begun.run(5)
    writeFileSync(join(folder, "checkpoint-1.bin"), begun.checkpoint())
    const continued = trained(set, networks[1]!, begun.checkpoint())
    expect(continued).not.toEqual(alone[1])
    expect(await train()).toEqual(joinNetworks(settings.hidden, [alone[0]!, continued]))
    // A state of other settings is not used.
    writeFileSync(join(folder, "checkpoint-1.bin"), new Uint8Array(10))
    expect(await train()).toEqual(joinNetworks(settings.hidden, alone))
  })
})
