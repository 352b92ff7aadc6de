import { expect, it } from "vitest"
import { embedWindow } from "#protocols/wake-word/Embedding.ts"
import { makeRandom } from "#protocols/wake-word/Random.ts"
import { windowValues } from "#protocols/wake-word/Shape.ts"
import { makeBatchNetwork, networkLayout } from "../../../scripts/wake-word/BatchNetwork.ts"
import { openProducts } from "../../../scripts/wake-word/MatrixProducts.ts"

const words = 7
const batch = 3
const targets = [2, 0, 6]
const random = makeRandom(5)
const layout = networkLayout(words)
const layers = [...layout.convolutions, layout.last, layout.answer]
const values = new Float32Array(layout.total)
for (const { inputs, outputs, weights } of layers)
  for (let at = weights; at < weights + inputs * outputs; at++) values[at] = random.normal() * Math.sqrt(2 / inputs)
const windows = Float32Array.from({ length: batch * windowValues }, () => random.normal())

/** Mean loss and its gradients. */
const learned = async (weights: Float32Array) => {
  const gradients = new Float32Array(weights.length)
  const network = makeBatchNetwork(await openProducts(), words, batch)
  const { loss } = await network.learn(weights, windows.slice(), targets, gradients)
  return { loss: loss / batch, gradients }
}

it("has the loss of the embedding that streams use", async () => {
  const { inputs, outputs, biases, weights } = layout.answer
  let loss = 0
  for (const [index, target] of targets.entries()) {
    const embedding = embedWindow(values, windows, index * windowValues)
    const logits = Array.from({ length: outputs }, (_, word) => {
      let sum = values[biases + word]!
      for (let at = 0; at < inputs; at++) sum += embedding[at]! * values[weights + at * outputs + word]!
      return sum
    })
    loss += Math.log(logits.reduce((sum, logit) => sum + Math.exp(logit), 0)) - logits[target]!
  }
  expect((await learned(values)).loss).toBeCloseTo(loss / batch, 4)
})

it("computes the gradients of every layer", async () => {
  const { gradients } = await learned(values)
  for (const { biases, outputs, weights } of layers) {
    // Along its gradient the loss of a layer rises by the length of the gradient.
    const end = biases + outputs
    const length = Math.sqrt(gradients.subarray(weights, end).reduce((sum, value) => sum + value * value, 0))
    const moved = async (by: number) => {
      const other = values.slice()
      for (let at = weights; at < end; at++) other[at]! += (by * gradients[at]!) / length
      return (await learned(other)).loss
    }
    const step = 1e-2
    const rise = ((await moved(step)) - (await moved(-step))) / (2 * step)
    expect(length).toBeGreaterThan(1e-3)
    expect(Math.abs(rise / length - 1)).toBeLessThan(0.05)
  }
})
