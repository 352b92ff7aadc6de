/**
 * Training of one network of a head (TrainHead.ts): Adam, growing weight of negatives, hard negatives, early stop.
 * Deterministic by seed. Pure. Source of the recipe: openWakeWord, `openwakeword/train.py`; ours looks for hard
 * negatives in rounds.
 */
import { Result } from "effect"
import { adamStep, rateShare } from "./Adam.ts"
import { headLogits, type HeadPass, type HeadWeights, lookInputs, lookSteps, makeHeadPass, sigmoid } from "./Head.ts"
import type { Windows } from "./Features.ts"
import { makeRandom, type Random } from "./Random.ts"
import { embeddingSize, headSteps } from "./Shape.ts"
import { readCheckpoint, startState, type TrainingState, writeCheckpoint } from "./TrainingState.ts"
import type { WakeWordError } from "./WakeWordError.ts"

export interface TrainingSet {
  readonly positives: Windows
  /** Near phrases and parts of the word. */
  readonly adversarial: Windows
  /** Other speech and noise. */
  readonly negatives: Windows
  /**
   * For the early stop; other voices than in the sets above, and not the held-out ones. Without near phrases, because
   * false accepts are measured over other speech.
   */
  readonly checkPositives: Windows
  readonly checkNegatives: Windows
}

export interface NetworkSettings {
  readonly seed: number
  /** Units of the hidden layer. */
  readonly hidden: number
  /** Maximum number of steps of the optimiser. */
  readonly steps: number
  /** Steps of a round. After each round the hard negatives and the loss on the check sets are computed. */
  readonly round: number
}

export interface Trainer {
  /** Runs up to `count` steps; synchronous. Call it in slices and look for a cancellation in between. */
  readonly run: (count: number) => void
  readonly done: () => boolean
  /** 0 to 1. */
  readonly progress: () => number
  /** Lowest loss on the check sets so far, 0 to 1; infinite before the first round. */
  readonly loss: () => number
  /** All state, for `makeTrainer` with the same set and settings. */
  readonly checkpoint: () => Uint8Array
  /** The weights with the least loss on the check sets; a head's only when it is done. */
  readonly weights: () => HeadWeights
}

/** Highest learning rate. */
const rate = 1e-3

/** Share of the steps until the highest rate. */
const warmUp = 0.1

/** Weight decay of Adam. */
const decay = 0.01

/** Rounds without a better loss after which the training ends. */
const patience = 3

/** Samples of a batch. */
const batch = { positives: 32, adversarial: 32, negatives: 32, hard: 64 }

/** Weight of negatives at the end; it grows from 1. Positives have weight 1. */
const negativeWeight = 4

/** Negatives below and positives above this distance from their target are not learned. Source: openWakeWord. */
const easy = 0.001

/** Share of values that are set to 0. Reason: the voices of a training are few, and no value alone may decide. */
const dropout = 0.4

/** Share of inputs whose embeddings of one step are set to 0, for the same reason. */
const stepDropout = 0.1

/** Share of the old mean in the moving mean of the weights, which is the result. */
const smoothing = 0.99

/** Hard negatives kept from one round to the next. */
export const hardPool = 2_048

/** `from`: a checkpoint. The result of a continued training equals that of one without a break. */
export const makeNetworkTrainer = (
  set: TrainingSet,
  settings: NetworkSettings,
  from?: Uint8Array
): Result.Result<Trainer, WakeWordError> =>
  Result.map(from === undefined ? Result.succeed(startState(settings)) : readCheckpoint(settings, from), (state) =>
    trainerOf(set, settings, state)
  )

const trainerOf = (set: TrainingSet, settings: NetworkSettings, state: TrainingState): Trainer => {
  const pass = makeHeadPass(settings.hidden)
  const gradients = new Float32Array(state.values.length)
  const input = new Float32Array(lookInputs)
  const done = () => state.step >= settings.steps || state.staleRounds >= patience
  return {
    run: (count) => {
      for (let run = 0; run < count && !done(); run++) {
        if (state.step % settings.round === 0) findHard(set, settings, state)
        trainStep(pass, set, settings, state, gradients, input)
        if (state.step % settings.round === 0 || state.step === settings.steps) judge(set, settings, state)
      }
    },
    done,
    progress: () => (done() ? 1 : state.step / settings.steps),
    loss: () => state.bestLoss,
    checkpoint: () => writeCheckpoint(settings, state),
    weights: () => ({ hidden: settings.hidden, values: state.best.slice() })
  }
}

const trainStep = (
  pass: HeadPass,
  set: TrainingSet,
  settings: NetworkSettings,
  state: TrainingState,
  gradients: Float32Array,
  input: Float32Array
): void => {
  const random = makeRandom(state.random)
  const progress = state.step / settings.steps
  const weight = 1 + (negativeWeight - 1) * progress
  let used = 0
  const learn = ({ rows, starts }: Windows, index: number, target: 0 | 1) => {
    // The last look of the window.
    const start = (starts[index]! + headSteps - lookSteps) * embeddingSize
    input.set(rows.subarray(start, start + lookInputs))
    dropSome(input, random)
    const score = sigmoid(pass.forward(state.values, input, 0))
    if (Math.abs(score - target) < easy) return
    used++
    pass.backward(state.values, input, 0, (score - target) * (target === 1 ? 1 : weight), gradients)
  }
  const draw = (windows: Windows, count: number, target: 0 | 1) => {
    if (windows.starts.length === 0) return
    for (let at = 0; at < count; at++) learn(windows, random.below(windows.starts.length), target)
  }
  draw(set.positives, batch.positives, 1)
  draw(set.adversarial, batch.adversarial, 0)
  draw(set.negatives, batch.negatives, 0)
  for (let at = 0; at < batch.hard && state.hard.length > 0; at++)
    learn(set.negatives, state.hard[random.below(state.hard.length)]!, 0)
  state.random = random.state()
  state.step++
  if (used === 0) return
  for (let at = 0; at < gradients.length; at++) gradients[at]! /= used
  state.updates++
  adamStep(state.adam, state.values, gradients, state.updates, rate * rateShare(progress, warmUp), decay)
  for (let at = 0; at < state.values.length; at++)
    state.average[at] = smoothing * state.average[at]! + (1 - smoothing) * state.values[at]!
}

const dropSome = (input: Float32Array, random: Random): void => {
  const kept = 1 / (1 - dropout)
  for (let at = 0; at < input.length; at++) input[at] = random.next() < dropout ? 0 : input[at]! * kept
  if (random.next() >= stepDropout) return
  const from = random.below(lookSteps) * embeddingSize
  input.fill(0, from, from + embeddingSize)
}

/**
 * Keeps the negatives with the highest scores, of the first half in one round and of the second half in the next.
 * Reason: the scores of all negatives after each round took a third of a training's time.
 */
const findHard = ({ negatives }: TrainingSet, { hidden, round }: NetworkSettings, state: TrainingState): void => {
  const which = (state.step / round) % 2 === 0 ? "first" : "second"
  const { rows, starts } = halfOf(negatives, which)
  const offset = which === "first" ? 0 : negatives.starts.length - starts.length
  const scores = headLogits({ hidden, values: state.values }, rows, starts)
  const order = Uint32Array.from(starts, (_, index) => index)
  order.sort((a, b) => scores[b]! - scores[a]! || a - b)
  state.hard = order.slice(0, hardPool).map((index) => index + offset)
}

/** Half of the windows, with only the rows that they need. The clips of both halves are of the same kind. */
const halfOf = ({ rows, starts }: Windows, which: "first" | "second"): Windows => {
  const middle = starts.length >> 1
  const own = which === "first" ? starts.subarray(0, middle) : starts.subarray(middle)
  const from = own[0] ?? 0
  const to = own.length === 0 ? from : own.at(-1)! + headSteps
  return { rows: rows.subarray(from * embeddingSize, to * embeddingSize), starts: own.map((start) => start - from) }
}

/**
 * Shares of the check negatives above the thresholds at which misses are counted. Reason: 0.01 % of the steps of an
 * hour are 4 steps, about one false accept.
 */
const judgedShares = [1e-4, 1e-3, 5e-3]

/**
 * Computes the loss of the mean weights on the check sets, and keeps the weights when it is the least so far. The loss
 * is the share of missed positives, softened, at thresholds that few negatives reach. It uses half of the check
 * negatives: enough to compare the weights of one training, in half of the time.
 */
const judge = (set: TrainingSet, { hidden }: NetworkSettings, state: TrainingState): void => {
  const logits = ({ rows, starts }: Windows) => headLogits({ hidden, values: state.average }, rows, starts)
  const negatives = logits(halfOf(set.checkNegatives, "second")).sort().reverse()
  const positives = logits(set.checkPositives)
  const loss = mean(judgedShares, (share) => {
    const threshold = negatives[Math.floor(share * negatives.length)] ?? 0
    return mean(positives, (logit) => sigmoid(threshold - logit))
  })
  if (loss < state.bestLoss) {
    state.bestLoss = loss
    state.best.set(state.average)
    state.staleRounds = 0
  } else state.staleRounds++
}

const mean = (values: ArrayLike<number>, value: (x: number) => number): number => {
  let sum = 0
  for (let at = 0; at < values.length; at++) sum += value(values[at]!)
  return values.length === 0 ? 0 : sum / values.length
}
