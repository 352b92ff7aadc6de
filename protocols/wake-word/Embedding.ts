/**
 * The network of our embedding: 76 mel frames of 32 values -> five convolutions over time -> 96 values with mean 0 and
 * deviation 1. Pure. It first subtracts the mean of the window, so that the loudness does not matter. The layers are
 * dense layers over overlapping parts of their input (`Dense.ts`). Its training is in `scripts/`.
 */
import { type Dense, forwardDense } from "./Dense.ts"
import { normalise } from "./LayerNorm.ts"
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

/** Kernel, stride and outputs of each convolution. Reason: about 0.2 ms a window, hundreds of streams a core. */
const shapes = [
  [5, 2, 128],
  [3, 2, 192],
  [3, 1, 224],
  [3, 1, 224],
  [3, 2, 256]
] as const

const makeConvolutions = (): ReadonlyArray<Convolution> => {
  const all: Array<Convolution> = []
  let input = { rows: windowFrames, channels: melBands as number, from: 0 }
  for (const [kernel, stride, outputs] of shapes) {
    const { channels, from } = input
    const inputs = kernel * channels
    const rows = Math.floor((input.rows - kernel) / stride) + 1
    const biases = from + inputs * outputs
    all.push({ kernel, stride, channels, rows, inputs, outputs, weights: from, biases })
    input = { rows, channels: outputs, from: biases + outputs }
  }
  return all
}

const convolutions = makeConvolutions()
const top = convolutions.at(-1)!
const inputs = top.rows * top.outputs
const weights = top.biases + top.outputs
const last: Dense = { inputs, outputs: embeddingSize, weights, biases: weights + inputs * embeddingSize }

/** Offsets of all layers in one array of values. */
export const embeddingLayout = { convolutions, last, size: last.biases + embeddingSize }

/** Computes the embedding of the window that begins at `from`; equals the ONNX file within 1e-5. */
export const embedWindow = (values: Float32Array, windows: Float32Array, from: number): Float64Array => {
  let x = Float64Array.from(windows.subarray(from, from + windowValues))
  const mean = x.reduce((sum, value) => sum + value, 0) / windowValues
  for (let at = 0; at < windowValues; at++) x[at]! -= mean
  for (const layer of convolutions) {
    const { channels, outputs, rows, stride } = layer
    const out = new Float64Array(rows * outputs)
    for (let row = 0; row < rows; row++) forwardDense(layer, values, x, row * stride * channels, out, row * outputs)
    for (let at = 0; at < out.length; at++) if (out[at]! < 0) out[at] = 0
    x = out
  }
  const sums = new Float64Array(embeddingSize)
  forwardDense(last, values, x, 0, sums, 0)
  const embedding = new Float64Array(embeddingSize)
  normalise(sums, embedding)
  return embedding
}
