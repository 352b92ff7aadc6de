/**
 * The network of a wake word: 1536 -> hidden -> hidden -> 1 with layer normalisation and ReLU, as in openWakeWord.
 * Pure. Source: openWakeWord, `openwakeword/train.py`, class `Model`, network "dnn".
 */
import { backwardInput, backwardWeights, type Dense, forwardDense } from "./Dense.ts"
import { backwardNormalise, normalise } from "./LayerNorm.ts"
import type { Random } from "./Random.ts"
import { headInputs } from "./Shape.ts"

/** Weights in one array; its parts as in `headLayout`. */
export interface HeadWeights {
  /** Units of the two hidden layers. */
  readonly hidden: number
  readonly values: Float32Array
}

/** A layer with its normalisation: `gains` and `shifts` are offsets of `outputs` values each. */
export interface NormalisedDense extends Dense {
  readonly gains: number
  readonly shifts: number
}

export interface HeadLayout {
  readonly first: NormalisedDense
  readonly second: NormalisedDense
  readonly last: Dense
  /** Number of values. */
  readonly size: number
}

/** Offsets of all parts in the array of values. */
export const headLayout = (hidden: number): HeadLayout => {
  const first = normalised(headInputs, hidden, 0)
  const second = normalised(hidden, hidden, first.shifts + hidden)
  const from = second.shifts + hidden
  return {
    first,
    second,
    last: { inputs: hidden, outputs: 1, weights: from, biases: from + hidden },
    size: from + hidden + 1
  }
}

const normalised = (inputs: number, outputs: number, from: number): NormalisedDense => {
  const biases = from + inputs * outputs
  return { inputs, outputs, weights: from, biases, gains: biases + outputs, shifts: biases + 2 * outputs }
}

/** Start of a training. Source: He et al., 2015, for layers before a ReLU. */
export const initialHead = (hidden: number, random: Random): HeadWeights => {
  const layout = headLayout(hidden)
  const values = new Float32Array(layout.size)
  for (const { inputs, outputs, weights } of [layout.first, layout.second, layout.last]) {
    const deviation = Math.sqrt(2 / inputs)
    for (let at = weights; at < weights + inputs * outputs; at++) values[at] = random.normal() * deviation
  }
  for (const { gains, outputs } of [layout.first, layout.second]) values.fill(1, gains, gains + outputs)
  return { hidden, values }
}

/** Computes scores and gradients with buffers of its own. */
export interface HeadPass {
  /** Score before the sigmoid, of the 1,536 values that begin at `from`. */
  readonly forward: (values: Float32Array, inputs: Float32Array, from: number) => number
  /** Adds the gradients of the last `forward`. `delta`: gradient of its result. */
  readonly backward: (
    values: Float32Array,
    inputs: Float32Array,
    from: number,
    delta: number,
    gradients: Float32Array
  ) => void
}

export const makeHeadPass = (hidden: number): HeadPass => {
  const { first, last, second } = headLayout(hidden)
  const [one, two] = [makeLayer(first), makeLayer(second)]
  const logit = new Float64Array(1)
  return {
    forward: (values, inputs, from) => {
      one.forward(values, inputs, from)
      two.forward(values, one.out, 0)
      forwardDense(last, values, two.out, 0, logit, 0)
      return logit[0]!
    },
    backward: (values, inputs, from, delta, gradients) => {
      logit[0] = delta
      backwardWeights(last, gradients, two.out, 0, logit, 0)
      two.delta.fill(0)
      backwardInput(last, values, logit, 0, two.delta, 0)
      two.backward(values, one.out, 0, gradients)
      one.delta.fill(0)
      backwardInput(second, values, two.delta, 0, one.delta, 0)
      one.backward(values, inputs, from, gradients)
    }
  }
}

const makeLayer = (layer: NormalisedDense) => {
  const { gains, outputs, shifts } = layer
  const sums = new Float64Array(outputs)
  const norm = new Float64Array(outputs)
  const out = new Float64Array(outputs)
  /** Gradient of `out` before `backward`, of the sums after it. */
  const delta = new Float64Array(outputs)
  let inverse = 0
  return {
    out,
    delta,
    forward: (values: Float32Array, x: Float32Array | Float64Array, from: number) => {
      forwardDense(layer, values, x, from, sums, 0)
      inverse = normalise(sums, norm)
      for (let o = 0; o < outputs; o++) out[o] = Math.max(0, norm[o]! * values[gains + o]! + values[shifts + o]!)
    },
    backward: (values: Float32Array, x: Float32Array | Float64Array, from: number, gradients: Float32Array) => {
      for (let o = 0; o < outputs; o++) {
        const d = out[o]! > 0 ? delta[o]! : 0
        gradients[gains + o]! += d * norm[o]!
        gradients[shifts + o]! += d
        delta[o] = d * values[gains + o]!
      }
      backwardNormalise(delta, norm, inverse)
      backwardWeights(layer, gradients, x, from, delta, 0)
    }
  }
}

export const sigmoid = (logit: number): number => 1 / (1 + Math.exp(-logit))

/** Score from 0 to 1 of one input of 16 x 96 values. Equals the ONNX file within 1e-5. */
export const scoreHead = ({ hidden, values }: HeadWeights, input: Float32Array): number =>
  sigmoid(makeHeadPass(hidden).forward(values, input, 0))
