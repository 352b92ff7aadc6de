/**
 * The network of our embedding: 76 mel frames of 32 values -> two convolutions over time -> 96 values with mean 0 and
 * deviation 1. Pure. It first subtracts the mean of the window, so that the loudness does not matter. The layers are
 * dense layers over overlapping parts of their input (`Dense.ts`).
 */
import { backwardInput, backwardWeights, type Dense, forwardDense } from "./Dense.ts"
import { backwardNormalise, normalise } from "./LayerNorm.ts"
import { embeddingSize, melBands, windowFrames, windowValues } from "./Shape.ts"

/** A convolution over time. */
export interface Convolution extends Dense {
  /** Rows that one result covers, and rows from one result to the next. */
  readonly kernel: number
  readonly stride: number
  /** Values of an input row. */
  readonly channels: number
  /** Number of results. */
  readonly rows: number
}

const convolution = (
  input: { readonly rows: number; readonly channels: number; readonly from: number },
  kernel: number,
  stride: number,
  outputs: number
): Convolution => {
  const inputs = kernel * input.channels
  const { channels, from } = input
  const rows = Math.floor((input.rows - kernel) / stride) + 1
  return { kernel, stride, channels, rows, inputs, outputs, weights: from, biases: from + inputs * outputs }
}

const end = ({ biases, outputs }: Dense): number => biases + outputs

/** 18 rows of 48 values, each over 80 ms and 40 ms apart. */
const first = convolution({ rows: windowFrames, channels: melBands, from: 0 }, 8, 4, 48)

/** 8 rows of 64 values, each over 200 ms and 80 ms apart. */
const second = convolution({ rows: first.rows, channels: first.outputs, from: end(first) }, 4, 2, 64)

const inputs = second.rows * second.outputs
const last: Dense = {
  inputs,
  outputs: embeddingSize,
  weights: end(second),
  biases: end(second) + inputs * embeddingSize
}

export const embeddingLayout = { first, second, last, size: end(last) }

/** Computes embeddings and gradients with buffers of its own. */
export interface EmbeddingPass {
  /** Embedding of the window that begins at `from`. The result is overwritten by the next call. */
  readonly forward: (values: Float32Array, windows: Float32Array, from: number) => Float64Array
  /** Adds the gradients of the last `forward`. `delta`: gradient of its result; overwritten. */
  readonly backward: (values: Float32Array, delta: Float64Array, gradients: Float32Array) => void
}

export const makeEmbeddingPass = (): EmbeddingPass => {
  const window = new Float64Array(windowValues)
  const one = new Float64Array(first.rows * first.outputs)
  const two = new Float64Array(second.rows * second.outputs)
  const oneDelta = new Float64Array(one.length)
  const twoDelta = new Float64Array(two.length)
  const sums = new Float64Array(embeddingSize)
  const embedding = new Float64Array(embeddingSize)
  let inverse = 0
  return {
    forward: (values, windows, from) => {
      let mean = 0
      for (let at = 0; at < windowValues; at++) mean += windows[from + at]!
      mean /= windowValues
      for (let at = 0; at < windowValues; at++) window[at] = windows[from + at]! - mean
      convolve(first, values, window, one)
      convolve(second, values, one, two)
      forwardDense(last, values, two, 0, sums, 0)
      inverse = normalise(sums, embedding)
      return embedding
    },
    backward: (values, delta, gradients) => {
      backwardNormalise(delta, embedding, inverse)
      backwardWeights(last, gradients, two, 0, delta, 0)
      twoDelta.fill(0)
      backwardInput(last, values, delta, 0, twoDelta, 0)
      deconvolve(second, values, one, two, twoDelta, gradients, oneDelta)
      deconvolve(first, values, window, one, oneDelta, gradients)
    }
  }
}

const convolve = (layer: Convolution, values: Float32Array, x: Float64Array, out: Float64Array): void => {
  const { channels, outputs, rows, stride } = layer
  for (let row = 0; row < rows; row++) forwardDense(layer, values, x, row * stride * channels, out, row * outputs)
  for (let at = 0; at < out.length; at++) if (out[at]! < 0) out[at] = 0
}

/** `delta`: gradient of `out`; overwritten. `inputDelta`: set to the gradient of `x` where it is needed. */
const deconvolve = (
  layer: Convolution,
  values: Float32Array,
  x: Float64Array,
  out: Float64Array,
  delta: Float64Array,
  gradients: Float32Array,
  inputDelta?: Float64Array
): void => {
  const { channels, outputs, rows, stride } = layer
  for (let at = 0; at < out.length; at++) if (out[at] === 0) delta[at] = 0
  inputDelta?.fill(0)
  for (let row = 0; row < rows; row++) {
    backwardWeights(layer, gradients, x, row * stride * channels, delta, row * outputs)
    if (inputDelta !== undefined)
      backwardInput(layer, values, delta, row * outputs, inputDelta, row * stride * channels)
  }
}
