/**
 * Settings of the networks whose mean is the score of a model. All learn from the same clips; each starts from its own
 * seed. Pure.
 */
import { seedOf } from "./Random.ts"
import type { NetworkSettings } from "./Train.ts"

export interface TrainingSettings extends NetworkSettings {
  /** Number of networks. */
  readonly networks: number
}

/**
 * Found by trials with German and English words. At one false accept in three hours of other speech, single networks of
 * marigold missed 1.8 to 4.8 % of the utterances, four together 1.8 %, eight 0.9 %; each takes 25 s on two cores. A
 * round's end takes as long as some hundred steps, and rounds of 200 steps gave no better networks.
 */
export const defaultTraining: TrainingSettings = { seed: 1, hidden: 64, steps: 2_400, round: 400, networks: 6 }

/** Settings of each network, for `makeNetworkTrainer`. `joinNetworks` makes a head of the trained networks. */
export const networkSettings = ({ networks, seed, ...same }: TrainingSettings): ReadonlyArray<NetworkSettings> =>
  Array.from({ length: networks }, (_, number) => ({
    ...same,
    seed: number === 0 ? seed : seedOf(seed, `network ${number}`)
  }))
