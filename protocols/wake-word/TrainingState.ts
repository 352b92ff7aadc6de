/** State of a training between two steps, and its checkpoint. Pure. */
import { Result } from "effect"
import { type AdamState, makeAdam } from "./Adam.ts"
import { headLayout, initialHead } from "./Head.ts"
import { makeRandom } from "./Random.ts"
import { failure, type WakeWordError } from "./WakeWordError.ts"

export interface TrainingState {
  /** Steps done. */
  step: number
  /** Steps that changed the weights. */
  updates: number
  /** State of the random numbers. */
  random: number
  staleRounds: number
  bestLoss: number
  readonly values: Float32Array
  /** Moving mean of the values. */
  readonly average: Float32Array
  readonly best: Float32Array
  readonly adam: AdamState
  /** Indexes of the hard negatives. */
  hard: Uint32Array
}

export interface StateSettings {
  readonly seed: number
  readonly hidden: number
  readonly steps: number
}

export const startState = ({ hidden, seed }: StateSettings): TrainingState => {
  const random = makeRandom(seed)
  const { values } = initialHead(hidden, random)
  return {
    step: 0,
    updates: 0,
    random: random.state(),
    staleRounds: 0,
    bestLoss: Number.POSITIVE_INFINITY,
    values,
    average: values.slice(),
    best: values.slice(),
    adam: makeAdam(values.length),
    hard: new Uint32Array()
  }
}

/** First number of a checkpoint; a change of the format changes it. */
const version = 2

/** Numbers of the header, 8 bytes each. */
const headerSize = 10

/** Little-endian: the header, the weights, their mean, the best weights, both states of Adam, the hard negatives. */
export const writeCheckpoint = ({ hidden, seed, steps }: StateSettings, state: TrainingState): Uint8Array => {
  const { adam, average, best, bestLoss, hard, random, staleRounds, step, updates, values } = state
  const header = [version, seed, hidden, steps, step, updates, random, staleRounds, bestLoss, hard.length]
  const view = new DataView(new ArrayBuffer(headerSize * 8 + (values.length * 5 + hard.length) * 4))
  header.forEach((value, index) => view.setFloat64(index * 8, value, true))
  let at = headerSize * 8
  for (const part of [values, average, best, adam.first, adam.second])
    for (const value of part) {
      view.setFloat32(at, value, true)
      at += 4
    }
  for (const index of hard) {
    view.setUint32(at, index, true)
    at += 4
  }
  return new Uint8Array(view.buffer)
}

/** Fails with `BadCheckpoint` when the bytes are damaged or belong to other settings. */
export const readCheckpoint = (
  settings: StateSettings,
  bytes: Uint8Array
): Result.Result<TrainingState, WakeWordError> => {
  const bad = (why: string) => Result.fail(failure({ _tag: "BadCheckpoint", why }))
  if (bytes.length < headerSize * 8) return bad("the checkpoint is cut")
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const header = Array.from({ length: headerSize }, (_, index) => view.getFloat64(index * 8, true))
  const [found, seed, hidden, steps, step, updates, random, staleRounds, bestLoss, hardCount] = header
  if (found !== version || seed !== settings.seed || hidden !== settings.hidden || steps !== settings.steps)
    return bad("the checkpoint belongs to other settings")
  const { size } = headLayout(settings.hidden)
  if (bytes.length !== headerSize * 8 + (size * 5 + hardCount!) * 4) return bad("the checkpoint is cut")
  let at = headerSize * 8
  const floats = () => Float32Array.from({ length: size }, () => view.getFloat32((at += 4) - 4, true))
  const [values, average, best, first, second] = Array.from({ length: 5 }, floats)
  const hard = Uint32Array.from({ length: hardCount! }, () => view.getUint32((at += 4) - 4, true))
  return Result.succeed({
    step: step!,
    updates: updates!,
    random: random!,
    staleRounds: staleRounds!,
    bestLoss: bestLoss!,
    values: values!,
    average: average!,
    best: best!,
    adam: { first: first!, second: second! },
    hard
  })
}
