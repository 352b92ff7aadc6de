// The embedding and the layer that names words from it, forward and backward for a whole batch. The convolutions are
// products of matrices, because the inputs of one result lie one behind the other.

import type { Dense } from "../../protocols/wake-word/Dense.ts"
import { type Convolution, embeddingLayout } from "../../protocols/wake-word/Embedding.ts"
import { backwardNormalise, normalise } from "../../protocols/wake-word/LayerNorm.ts"
import { embeddingSize, windowValues } from "../../protocols/wake-word/Shape.ts"
import type { Matrix, MatrixProducts } from "./MatrixProducts.ts"

/** The embedding's layers, then the layer that names words. */
export const networkLayout = (words: number) => {
  const { size } = embeddingLayout
  const answer: Dense = { inputs: embeddingSize, outputs: words, weights: size, biases: size + embeddingSize * words }
  return { ...embeddingLayout, answer, total: answer.biases + words }
}

export interface BatchNetwork {
  /**
   * Adds the gradients of the mean loss of the batch to `gradients`. `windows`: 76 x 32 values each, overwritten;
   * `targets`: the number of the word of each. Returns the sum of the losses and the number of right answers.
   */
  readonly learn: (
    values: Float32Array,
    windows: Float32Array,
    targets: ReadonlyArray<number>,
    gradients: Float32Array
  ) => Promise<{ readonly loss: number; readonly right: number }>
}

export const makeBatchNetwork = (products: MatrixProducts, words: number, batch: number): BatchNetwork => {
  const { answer, convolutions, last } = networkLayout(words)
  const parts = convolutions.map(({ inputs, rows }) => new Float32Array(batch * rows * inputs))
  const weightsOf = (values: Float32Array, { inputs, outputs, weights }: Dense): Matrix => ({
    rows: inputs,
    columns: outputs,
    data: values.subarray(weights, weights + inputs * outputs)
  })
  /** Adds the gradients of a layer whose inputs are the rows of `x`. */
  const addGradients = async (layer: Dense, x: Matrix, delta: Matrix, gradients: Float32Array) => {
    const product = await products.first(x, delta)
    for (let at = 0; at < product.length; at++) gradients[layer.weights + at]! += product[at]!
    const { columns, data } = delta
    for (let from = 0; from < data.length; from += columns)
      for (let at = 0; at < columns; at++) gradients[layer.biases + at]! += data[from + at]!
  }

  return {
    learn: async (values, windows, targets, gradients) => {
      centre(windows)
      const outs: Array<Float32Array> = []
      let x = windows
      for (const [index, layer] of convolutions.entries()) {
        gather(layer, x, parts[index]!, batch)
        const part = { rows: batch * layer.rows, columns: layer.inputs, data: parts[index]! }
        const out = await products.plain(part, weightsOf(values, layer))
        addBiases(out, values, layer)
        for (let at = 0; at < out.length; at++) if (out[at]! < 0) out[at] = 0
        outs.push(out)
        x = out
      }
      const flat: Matrix = { rows: batch, columns: last.inputs, data: x }
      const sums = await products.plain(flat, weightsOf(values, last))
      addBiases(sums, values, last)
      const rows = normaliseRows(sums)
      const embeddings: Matrix = { rows: batch, columns: embeddingSize, data: rows.normal }
      const logits = await products.plain(embeddings, weightsOf(values, answer))
      addBiases(logits, values, answer)
      const result = softmaxDelta(logits, targets, words)

      const answerDelta: Matrix = { rows: batch, columns: words, data: logits }
      await addGradients(answer, embeddings, answerDelta, gradients)
      const delta = await products.second(answerDelta, weightsOf(values, answer))
      rows.backward(delta)
      const lastDelta: Matrix = { rows: batch, columns: embeddingSize, data: delta }
      await addGradients(last, flat, lastDelta, gradients)
      let outDelta = await products.second(lastDelta, weightsOf(values, last))
      for (let index = convolutions.length - 1; index >= 0; index--) {
        const layer = convolutions[index]!
        const out = outs[index]!
        for (let at = 0; at < out.length; at++) if (out[at] === 0) outDelta[at] = 0
        const layerDelta: Matrix = { rows: batch * layer.rows, columns: layer.outputs, data: outDelta }
        const part: Matrix = { rows: batch * layer.rows, columns: layer.inputs, data: parts[index]! }
        await addGradients(layer, part, layerDelta, gradients)
        if (index === 0) break
        const partDelta = await products.second(layerDelta, weightsOf(values, layer))
        outDelta = new Float32Array(outs[index - 1]!.length)
        scatter(layer, partDelta, outDelta, batch)
      }
      return result
    }
  }
}

/** Subtracts the mean of each window. */
const centre = (windows: Float32Array): void => {
  for (let from = 0; from < windows.length; from += windowValues) {
    let mean = 0
    for (let at = 0; at < windowValues; at++) mean += windows[from + at]!
    mean /= windowValues
    for (let at = 0; at < windowValues; at++) windows[from + at]! -= mean
  }
}

/** Values of one window in the input of a layer. */
const inputValues = (x: Float32Array, batch: number): number => x.length / batch

/** Copies the inputs of each result, which overlap, one behind the other. */
const gather = (layer: Convolution, x: Float32Array, part: Float32Array, batch: number): void => {
  const { channels, inputs, rows, stride } = layer
  const size = inputValues(x, batch)
  let to = 0
  for (let window = 0; window < batch; window++)
    for (let row = 0; row < rows; row++) {
      const from = window * size + row * stride * channels
      part.set(x.subarray(from, from + inputs), to)
      to += inputs
    }
}

/** The reverse of `gather`: adds what overlaps. */
const scatter = (layer: Convolution, part: Float32Array, x: Float32Array, batch: number): void => {
  const { channels, inputs, rows, stride } = layer
  const size = inputValues(x, batch)
  let from = 0
  for (let window = 0; window < batch; window++)
    for (let row = 0; row < rows; row++) {
      const to = window * size + row * stride * channels
      for (let at = 0; at < inputs; at++) x[to + at]! += part[from + at]!
      from += inputs
    }
}

const addBiases = (out: Float32Array, values: Float32Array, { biases, outputs }: Dense): void => {
  for (let from = 0; from < out.length; from += outputs)
    for (let at = 0; at < outputs; at++) out[from + at]! += values[biases + at]!
}

/** Normalises each row. `backward` turns a gradient of the result into that of the sums, in place. */
const normaliseRows = (sums: Float32Array) => {
  const normal = new Float32Array(sums.length)
  const inverses: Array<number> = []
  const row = new Float64Array(embeddingSize)
  const delta = new Float64Array(embeddingSize)
  for (let from = 0; from < sums.length; from += embeddingSize) {
    inverses.push(normalise(Float64Array.from(sums.subarray(from, from + embeddingSize)), row))
    normal.set(row, from)
  }
  return {
    normal,
    backward: (deltas: Float32Array): void => {
      for (const [index, inverse] of inverses.entries()) {
        const from = index * embeddingSize
        delta.set(deltas.subarray(from, from + embeddingSize))
        row.set(normal.subarray(from, from + embeddingSize))
        backwardNormalise(delta, row, inverse)
        deltas.set(delta, from)
      }
    }
  }
}

/** Replaces the logits by the gradients of the mean cross entropy. */
const softmaxDelta = (logits: Float32Array, targets: ReadonlyArray<number>, words: number) => {
  let loss = 0
  let right = 0
  for (const [index, target] of targets.entries()) {
    const from = index * words
    let highest = from
    for (let at = from; at < from + words; at++) if (logits[at]! > logits[highest]!) highest = at
    if (highest === from + target) right++
    const most = logits[highest]!
    let sum = 0
    for (let at = from; at < from + words; at++) sum += logits[at] = Math.exp(logits[at]! - most)
    loss -= Math.log(Math.max(1e-12, logits[from + target]! / sum))
    for (let at = from; at < from + words; at++) logits[at]! /= sum * targets.length
    logits[from + target]! -= 1 / targets.length
  }
  return { loss, right }
}
