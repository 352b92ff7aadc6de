/** Layer normalisation of one row, forward and backward. Pure. Source: ONNX operator LayerNormalization. */

/** Source: default of the ONNX operator. */
export const epsilon = 1e-5

/** Writes `(x - mean) / deviation` and returns 1 / deviation. */
export const normalise = (x: Float64Array, out: Float64Array): number => {
  const size = x.length
  let mean = 0
  for (let i = 0; i < size; i++) mean += x[i]!
  mean /= size
  let variance = 0
  for (let i = 0; i < size; i++) variance += (x[i]! - mean) ** 2
  const inverse = 1 / Math.sqrt(variance / size + epsilon)
  for (let i = 0; i < size; i++) out[i] = (x[i]! - mean) * inverse
  return inverse
}

/** Turns the gradient of the normalised values into that of the input, in place. `inverse`: from `normalise`. */
export const backwardNormalise = (delta: Float64Array, normalised: Float64Array, inverse: number): void => {
  const size = delta.length
  let sum = 0
  let product = 0
  for (let i = 0; i < size; i++) {
    sum += delta[i]!
    product += delta[i]! * normalised[i]!
  }
  for (let i = 0; i < size; i++) delta[i] = inverse * (delta[i]! - sum / size - (normalised[i]! * product) / size)
}
