/**
 * The network of a wake word. A dense layer turns the embedding of each step into a few values, with the same weights
 * for all steps. A look takes those of 14 steps -> hidden -> 1, with layer normalisation and ReLU. The score is the
 * mean of three looks, one step apart. Pure. In place of the network "dnn" of openWakeWord (`openwakeword/train.py`),
 * because shared weights need fewer voices, and a mean over three steps has fewer false accepts.
 */
import { backwardInput, backwardWeights, type Dense, forwardDense } from "./Dense.ts"
import { backwardNormalise, normalise } from "./LayerNorm.ts"
import type { Random } from "./Random.ts"
import { embeddingSize, headSteps } from "./Shape.ts"

/** Values of a step after the first layer. Found by trials on check voices. */
export const stepFeatures = 24

/** Steps of a look: 1.1 s and the window of the first embedding. */
export const lookSteps = 14

/** Looks of a score. */
export const looks = headSteps - lookSteps + 1

/**
 * Weights of one or more networks, one after the other in one array; the parts of each as in `headLayout`. The score
 * before the sigmoid is the mean over the networks, because each of them is wrong about other speech and other voices.
 */
export interface HeadWeights {
  /** Units of the hidden layer. */
  readonly hidden: number
  readonly values: Float32Array
}

/** A layer with its normalisation: `gains` and `shifts` are offsets of `outputs` values each. */
export interface NormalisedDense extends Dense {
  readonly gains: number
  readonly shifts: number
}

export interface HeadLayout {
  readonly first: Dense
  readonly second: NormalisedDense
  readonly last: Dense
  /** Number of values. */
  readonly size: number
}

/** Offsets of all parts in the array of values. */
export const headLayout = (hidden: number): HeadLayout => {
  const first = dense(embeddingSize, stepFeatures, 0)
  const second = dense(lookSteps * stepFeatures, hidden, endOf(first))
  const gains = endOf(second)
  const shifts = gains + hidden
  const last = dense(hidden, 1, shifts + hidden)
  return { first, second: { ...second, gains, shifts }, last, size: endOf(last) }
}

const dense = (inputs: number, outputs: number, from: number): Dense => ({
  inputs,
  outputs,
  weights: from,
  biases: from + inputs * outputs
})

const endOf = ({ biases, outputs }: Dense): number => biases + outputs

/** Start of a training. Source: He et al., 2015, for layers before a ReLU. */
export const initialHead = (hidden: number, random: Random): HeadWeights => {
  const { first, last, second, size } = headLayout(hidden)
  const values = new Float32Array(size)
  for (const { inputs, outputs, weights } of [first, second, last]) {
    const deviation = Math.sqrt(2 / inputs)
    for (let at = weights; at < weights + inputs * outputs; at++) values[at] = random.normal() * deviation
  }
  values.fill(1, second.gains, second.gains + hidden)
  return { hidden, values }
}

/** Values of the input of a look: 14 embeddings, oldest first. */
export const lookInputs = lookSteps * embeddingSize

/** Computes one look and its gradients with buffers of its own. A training learns looks, not their mean. */
export interface HeadPass {
  /** Score before the sigmoid, of the look that begins at `from`. */
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
  const one = new Float64Array(lookSteps * stepFeatures)
  const oneDelta = new Float64Array(one.length)
  const two = makeLayer(second)
  const logit = new Float64Array(1)
  return {
    forward: (values, inputs, from) => {
      featuresOf(first, values, inputs, from, lookSteps, one)
      return lookLogit(two, last, values, one, 0, logit)
    },
    backward: (values, inputs, from, delta, gradients) => {
      logit[0] = delta
      backwardWeights(last, gradients, two.out, 0, logit, 0)
      two.delta.fill(0)
      backwardInput(last, values, logit, 0, two.delta, 0)
      two.backward(values, one, 0, gradients)
      oneDelta.fill(0)
      backwardInput(second, values, two.delta, 0, oneDelta, 0)
      for (let at = 0; at < one.length; at++) if (one[at] === 0) oneDelta[at] = 0
      for (let step = 0; step < lookSteps; step++)
        backwardWeights(first, gradients, inputs, from + step * embeddingSize, oneDelta, step * stepFeatures)
    }
  }
}

/** Writes the values of `steps` steps. */
const featuresOf = (
  first: Dense,
  values: Float32Array,
  inputs: Float32Array,
  from: number,
  steps: number,
  out: Float64Array
): void => {
  for (let step = 0; step < steps; step++)
    forwardDense(first, values, inputs, from + step * embeddingSize, out, step * stepFeatures)
  for (let at = 0; at < out.length; at++) if (out[at]! < 0) out[at] = 0
}

/** Score before the sigmoid of one look, which begins at the step `from` of `features`. */
const lookLogit = (
  layer: Layer,
  last: Dense,
  values: Float32Array,
  features: Float64Array,
  from: number,
  logit: Float64Array
): number => {
  layer.forward(values, features, from * stepFeatures)
  forwardDense(last, values, layer.out, 0, logit, 0)
  return logit[0]!
}

type Layer = ReturnType<typeof makeLayer>

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
    forward: (values: Float32Array, x: Float64Array, from: number) => {
      forwardDense(layer, values, x, from, sums, 0)
      inverse = normalise(sums, norm)
      for (let o = 0; o < outputs; o++) out[o] = Math.max(0, norm[o]! * values[gains + o]! + values[shifts + o]!)
    },
    backward: (values: Float32Array, x: Float64Array, from: number, gradients: Float32Array) => {
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

/** The weights of each network. */
export const networksOf = ({ hidden, values }: HeadWeights): ReadonlyArray<HeadWeights> => {
  const { size } = headLayout(hidden)
  return Array.from({ length: values.length / size }, (_, index) => ({
    hidden,
    values: values.subarray(index * size, (index + 1) * size)
  }))
}

/** Several networks of the same size as one head. */
export const joinNetworks = (hidden: number, networks: ReadonlyArray<Float32Array>): HeadWeights => {
  const { size } = headLayout(hidden)
  const values = new Float32Array(networks.length * size)
  for (const [index, network] of networks.entries()) values.set(network, index * size)
  return { hidden, values }
}

/** Scores before the sigmoid of windows of 16 consecutive embeddings; `starts`: row numbers. */
export const headLogits = (weights: HeadWeights, rows: Float32Array, starts: ArrayLike<number>): Float64Array => {
  const [first, ...more] = networksOf(weights).map((network) => networkLogits(network, rows, starts))
  for (const logits of more) for (let at = 0; at < logits.length; at++) first![at]! += logits[at]!
  return first!.map((sum) => sum / (more.length + 1))
}

/** Of one network. Windows share their steps and looks, so that many windows of the same rows are cheap. */
const networkLogits = (
  { hidden, values }: HeadWeights,
  rows: Float32Array,
  starts: ArrayLike<number>
): Float64Array => {
  const { first, last, second } = headLayout(hidden)
  const features = new Float64Array((rows.length / embeddingSize) * stepFeatures)
  featuresOf(first, values, rows, 0, rows.length / embeddingSize, features)
  const layer = makeLayer(second)
  const logit = new Float64Array(1)
  const found = new Float64Array(rows.length / embeddingSize).fill(Number.NaN)
  return Float64Array.from(starts, (start) => {
    let sum = 0
    for (let at = start; at < start + looks; at++) {
      if (Number.isNaN(found[at])) found[at] = lookLogit(layer, last, values, features, at, logit)
      sum += found[at]!
    }
    return sum / looks
  })
}

export const sigmoid = (logit: number): number => 1 / (1 + Math.exp(-logit))

/** Score from 0 to 1 of one input of 16 x 96 values. Equals the ONNX file within 1e-5. */
export const scoreHead = (weights: HeadWeights, input: Float32Array): number =>
  sigmoid(headLogits(weights, input, [0])[0]!)
