/** The optimiser Adam with decoupled weight decay. Pure. Source: Kingma and Ba, 2015; Loshchilov and Hutter, 2019. */

const decayFirst = 0.9
const decaySecond = 0.999
const epsilon = 1e-8

export interface AdamState {
  readonly first: Float32Array
  readonly second: Float32Array
}

export const makeAdam = (size: number): AdamState => ({ first: new Float32Array(size), second: new Float32Array(size) })

/** One step, `step` starting at 1. Changes the values and the state, and sets the gradients to 0. */
export const adamStep = (
  { first, second }: AdamState,
  values: Float32Array,
  gradients: Float32Array,
  step: number,
  rate: number,
  decay: number
): void => {
  const firstScale = 1 / (1 - decayFirst ** step)
  const secondScale = 1 / (1 - decaySecond ** step)
  for (let i = 0; i < values.length; i++) {
    const gradient = gradients[i]!
    const m = decayFirst * first[i]! + (1 - decayFirst) * gradient
    const v = decaySecond * second[i]! + (1 - decaySecond) * gradient * gradient
    first[i] = m
    second[i] = v
    values[i]! -= rate * ((m * firstScale) / (Math.sqrt(v * secondScale) + epsilon) + decay * values[i]!)
    gradients[i] = 0
  }
}

/** Warm-up, then half a cosine down to 0. `progress`: 0 to 1. Returns the share of the highest rate. */
export const rateShare = (progress: number, warmUp: number): number =>
  progress < warmUp
    ? progress / warmUp
    : 0.5 + 0.5 * Math.cos(Math.PI * Math.min(1, (progress - warmUp) / (1 - warmUp)))
