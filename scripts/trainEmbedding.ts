// `node scripts/trainEmbedding.ts --seed 1`: trains the embedding of the wake word engine on words that the voices of
// espeak-ng speak, and writes it as ONNX. The same seed and the same espeak-ng give the same file. Needs espeak-ng.
//
// The network learns which of some hundred words a window of 775 ms contains, whoever speaks it. The layer before the
// answer is the embedding.

import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { adamStep, makeAdam, rateShare } from "../protocols/wake-word/Adam.ts"
import { backwardInput, backwardWeights, type Dense, forwardDense } from "../protocols/wake-word/Dense.ts"
import { embeddingLayout, makeEmbeddingPass } from "../protocols/wake-word/Embedding.ts"
import { writeEmbedding } from "../protocols/wake-word/EmbeddingModel.ts"
import { logMel } from "../protocols/wake-word/LogMel.ts"
import { makeRandom, type Random, seedOf } from "../protocols/wake-word/Random.ts"
import { embeddingSize, hopSamples, melBands, windowFrames, windowValues } from "../protocols/wake-word/Shape.ts"
import { type SpokenWord, speakWords, trainWords, wordInContext } from "./wake-word/SpokenWords.ts"

const { values: options } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    /** Invented words of each language. */
    invented: { type: "string", default: "100" },
    /** Utterances of each word. */
    times: { type: "string", default: "24" },
    steps: { type: "string", default: "9000" },
    out: { type: "string", default: join(import.meta.dirname, "../protocols/wake-word/wake-word-embedding.onnx") }
  }
})
const seed = Number(options.seed)
const steps = Number(options.steps)

/** Samples of a batch; each word in its context gives `placements` of them. */
const batch = 32
const placements = 4
const rate = 2e-3
const warmUp = 0.05
const decay = 0.01

const words = trainWords(seed, Number(options.invented))
const started = Date.now()
const report = (text: string) =>
  process.stdout.write(`${((Date.now() - started) / 1000).toFixed(0).padStart(5)} s  ${text}\n`)
const spoken = await speakWords(words, Number(options.times), seed)
report(`${words.length} words, ${spoken.length} utterances`)

const { first, last, second, size } = embeddingLayout
const answer: Dense = {
  inputs: embeddingSize,
  outputs: words.length,
  weights: size,
  biases: size + embeddingSize * words.length
}
const weights = initialWeights(makeRandom(seedOf(seed, "weights")))
const embedding = weights.subarray(0, size)
trainAll()
writeFileSync(
  options.out,
  writeEmbedding(embedding, {
    "signalbox.licence": "MIT",
    "signalbox.origin": `scripts/trainEmbedding.ts with seed ${seed}, from words spoken by espeak-ng`
  })
)
report(`wrote ${options.out}`)

function initialWeights(random: Random): Float32Array {
  const all = new Float32Array(answer.biases + words.length)
  for (const { inputs, outputs, weights: from } of [first, second, last, answer])
    for (let at = from; at < from + inputs * outputs; at++) all[at] = random.normal() * Math.sqrt(2 / inputs)
  return all
}

function trainAll(): void {
  const random = makeRandom(seedOf(seed, "training"))
  const adam = makeAdam(weights.length)
  const gradients = new Float32Array(weights.length)
  const pass = makeEmbeddingPass()
  const logits = new Float64Array(words.length)
  const delta = new Float64Array(embeddingSize)
  let right = 0
  let seen = 0
  let loss = 0
  for (let step = 1; step <= steps; step++) {
    for (let at = 0; at < batch; at += placements)
      for (const { window, word } of placed(spoken, random)) {
        const values = pass.forward(weights, window, 0)
        forwardDense(answer, weights, values, 0, logits, 0)
        loss += softmaxDelta(logits, word)
        seen++
        if (logits[word]! > -0.5) right++
        backwardWeights(answer, gradients, values, 0, logits, 0)
        delta.fill(0)
        backwardInput(answer, weights, logits, 0, delta, 0)
        pass.backward(weights, delta, gradients)
      }
    for (let at = 0; at < gradients.length; at++) gradients[at]! /= batch
    adamStep(adam, weights, gradients, step, rate * rateShare(step / steps, warmUp), decay)
    if (step % 500 !== 0) continue
    report(`step ${step}: loss ${(loss / seen).toFixed(3)}, ${((100 * right) / seen).toFixed(1)} % sure and right`)
    right = seen = loss = 0
  }
}

/** Windows of one word in context, with the middle of the word near the middle of the window. */
function placed(all: ReadonlyArray<SpokenWord>, random: Random) {
  const index = random.below(all.length)
  const { clip, from, to } = wordInContext(all, index, random)
  const frames = logMel(clip)
  const count = frames.length / melBands
  return Array.from({ length: placements }, () => {
    const window = new Float32Array(windowValues)
    const middle = Math.round((from + to) / 2 / hopSamples + random.between(-14, 14))
    // Beyond the clip: its first frame again.
    for (let row = 0; row < windowFrames; row++) {
      const frame = middle - windowFrames / 2 + row
      const source = frame >= 0 && frame < count ? frame : 0
      window.set(frames.subarray(source * melBands, (source + 1) * melBands), row * melBands)
    }
    return { window, word: all[index]!.word }
  })
}

/** Replaces the logits by the gradient of the cross entropy. Returns the loss. */
function softmaxDelta(logits: Float64Array, target: number): number {
  const highest = logits.reduce((most, logit) => Math.max(most, logit), Number.NEGATIVE_INFINITY)
  let sum = 0
  for (let at = 0; at < logits.length; at++) sum += logits[at] = Math.exp(logits[at]! - highest)
  for (let at = 0; at < logits.length; at++) logits[at]! /= sum
  const loss = -Math.log(Math.max(1e-12, logits[target]!))
  logits[target]! -= 1
  return loss
}
