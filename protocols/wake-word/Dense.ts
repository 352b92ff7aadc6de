/**
 * Dense layers over one row, forward and backward. Pure. A convolution over time is the same function on overlapping
 * parts of its input, because rows of frames lie one behind the other. Weights are [inputs, outputs], as in ONNX Gemm.
 */

/** A dense layer whose weights begin at `weights` and whose biases begin at `biases` in one array of values. */
export interface Dense {
  readonly inputs: number
  readonly outputs: number
  readonly weights: number
  readonly biases: number
}

/** `out[to + o] = bias[o] + sum over i of x[from + i] * weight[i, o]`. Sums in double precision if `out` does. */
export const forwardDense = (
  { biases, inputs, outputs, weights }: Dense,
  values: Float32Array,
  x: Float32Array | Float64Array,
  from: number,
  out: Float64Array,
  to: number
): void => {
  for (let o = 0; o < outputs; o++) out[to + o] = values[biases + o]!
  let row = weights
  let i = 0
  // Four inputs at a time: fewer loads and stores of the sums.
  for (; i + 4 <= inputs; i += 4, row += 4 * outputs) {
    const a = x[from + i]!
    const b = x[from + i + 1]!
    const c = x[from + i + 2]!
    const d = x[from + i + 3]!
    if (a === 0 && b === 0 && c === 0 && d === 0) continue
    const rowB = row + outputs
    const rowC = rowB + outputs
    const rowD = rowC + outputs
    for (let o = 0; o < outputs; o++)
      out[to + o]! += a * values[row + o]! + b * values[rowB + o]! + c * values[rowC + o]! + d * values[rowD + o]!
  }
  for (; i < inputs; i++, row += outputs) {
    const a = x[from + i]!
    for (let o = 0; o < outputs; o++) out[to + o]! += a * values[row + o]!
  }
}

/** Adds the gradients of weights and biases to `gradients`, which has the layout of the values. */
export const backwardWeights = (
  { biases, inputs, outputs, weights }: Dense,
  gradients: Float32Array,
  x: Float32Array | Float64Array,
  from: number,
  delta: Float64Array,
  at: number
): void => {
  for (let o = 0; o < outputs; o++) gradients[biases + o]! += delta[at + o]!
  for (let i = 0, row = weights; i < inputs; i++, row += outputs) {
    const a = x[from + i]!
    if (a === 0) continue
    for (let o = 0; o < outputs; o++) gradients[row + o]! += a * delta[at + o]!
  }
}

/** Adds the gradient of the input to `out`. */
export const backwardInput = (
  { inputs, outputs, weights }: Dense,
  values: Float32Array,
  delta: Float64Array,
  at: number,
  out: Float64Array,
  to: number
): void => {
  for (let i = 0, row = weights; i < inputs; i++, row += outputs) {
    let sum = 0
    for (let o = 0; o < outputs; o++) sum += values[row + o]! * delta[at + o]!
    out[to + i]! += sum
  }
}
