// `npm run train:embedding -- --seed 1`: trains the embedding of the wake word engine on words that the voices of
// espeak-ng and our own variants speak, and writes it as ONNX. The same seed and options give the same file with the
// same espeak-ng, the same onnxruntime-node and the same kind of processor. Needs espeak-ng.
//
// The network learns which of 2,405 words is in the middle of a window of 775 ms, whoever speaks it. The layer
// before the answer is the embedding.

import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { adamStep, makeAdam, rateShare } from "../protocols/wake-word/Adam.ts"
import { writeEmbedding } from "../protocols/wake-word/EmbeddingModel.ts"
import { logMel } from "../protocols/wake-word/LogMel.ts"
import { makeRandom, type Random, seedOf } from "../protocols/wake-word/Random.ts"
import { hopSamples, melBands, windowFrames, windowValues } from "../protocols/wake-word/Shape.ts"
import { withMadeVoices } from "../tests/support/EspeakVoices.ts"
import { makeBatchNetwork, networkLayout } from "./wake-word/BatchNetwork.ts"
import { openProducts } from "./wake-word/MatrixProducts.ts"
import { type SpokenWord, speakWords, trainWords, wordsInContext } from "./wake-word/SpokenWords.ts"

const { values: options } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    /** Invented words of each language. */
    invented: { type: "string", default: "1000" },
    /** Utterances of each word. */
    times: { type: "string", default: "24" },
    steps: { type: "string", default: "10000" },
    out: { type: "string", default: join(import.meta.dirname, "../protocols/wake-word/wake-word-embedding.onnx") }
  }
})
const seed = Number(options.seed)
const steps = Number(options.steps)

/** Samples of a batch; each word of a clip gives `placements` of them. */
const batch = 96
const placements = 2
const rate = 1.5e-3
const warmUp = 0.05
const decay = 0.01

/** Longest distance between the middle of the word and that of the window. Unit: mel frames; 180 ms. */
const offCentre = 18

/** Share of the windows with covered bands, and with covered frames; the highest number of both. */
const coverShare = 0.5
const coveredBands = 7
const coveredFrames = 12

const started = Date.now()
const report = (text: string) =>
  process.stdout.write(`${((Date.now() - started) / 1000).toFixed(0).padStart(5)} s  ${text}\n`)

const words = trainWords(seed, Number(options.invented))
const spoken = await withMadeVoices((made) => speakWords(words, Number(options.times), seed, made))
report(`${words.length} words, ${spoken.length} utterances`)
const layout = networkLayout(words.length)
const weights = initialWeights(makeRandom(seedOf(seed, "weights")))
await trainAll()
write()
report(`wrote ${options.out}`)

function write(): void {
  writeFileSync(
    options.out,
    writeEmbedding(weights.subarray(0, layout.size), {
      "signalbox.licence": "MIT",
      "signalbox.origin": `scripts/trainEmbedding.ts with seed ${seed}, from words spoken by espeak-ng`
    })
  )
}

function initialWeights(random: Random): Float32Array {
  const all = new Float32Array(layout.total)
  for (const { inputs, outputs, weights: from } of [...layout.convolutions, layout.last, layout.answer])
    for (let at = from; at < from + inputs * outputs; at++) all[at] = random.normal() * Math.sqrt(2 / inputs)
  return all
}

async function trainAll(): Promise<void> {
  const random = makeRandom(seedOf(seed, "training"))
  const adam = makeAdam(weights.length)
  const gradients = new Float32Array(weights.length)
  const network = makeBatchNetwork(await openProducts(), words.length, batch)
  const windows = new Float32Array(batch * windowValues)
  let right = 0
  let seen = 0
  let loss = 0
  for (let step = 1; step <= steps; step++) {
    const targets: Array<number> = []
    while (targets.length < batch) place(windows, targets, random)
    const result = await network.learn(weights, windows, targets, gradients)
    adamStep(adam, weights, gradients, step, rate * rateShare(step / steps, warmUp), decay)
    right += result.right
    loss += result.loss
    seen += batch
    if (step % 200 !== 0) continue
    report(`step ${step}: loss ${(loss / seen).toFixed(3)}, ${((100 * right) / seen).toFixed(1)} % right`)
    right = seen = loss = 0
  }
}

/** Adds windows of the words of one clip, with the middle of a word near the middle of the window. */
function place(windows: Float32Array, targets: Array<number>, random: Random): void {
  const { clip, words: own } = wordsInContext(spoken as ReadonlyArray<SpokenWord>, random)
  const frames = logMel(clip)
  const count = frames.length / melBands
  for (const { middle, word } of own)
    for (let placement = 0; placement < placements && targets.length < batch; placement++) {
      const first = Math.round(middle / hopSamples + random.between(-offCentre, offCentre)) - windowFrames / 2
      const at = targets.length * windowValues
      // Beyond the clip: its first frame again.
      for (let row = 0; row < windowFrames; row++) {
        const source = first + row >= 0 && first + row < count ? first + row : 0
        windows.set(frames.subarray(source * melBands, (source + 1) * melBands), at + row * melBands)
      }
      cover(windows.subarray(at, at + windowValues), random)
      targets.push(word)
    }
}

/**
 * Replaces some bands, and some frames, by the mean of the window, each in half of the windows. Reason: a word must be
 * recognised although a voice lacks some of its bands. Source: Park et al., SpecAugment, 2019.
 */
function cover(window: Float32Array, random: Random): void {
  const mean = window.reduce((sum, value) => sum + value, 0) / window.length
  if (random.next() < coverShare) {
    const count = 1 + random.below(coveredBands)
    const first = random.below(melBands - count + 1)
    for (let from = first; from < window.length; from += melBands) window.fill(mean, from, from + count)
  }
  if (random.next() < coverShare) {
    const count = 1 + random.below(coveredFrames)
    const first = random.below(windowFrames - count + 1)
    window.fill(mean, first * melBands, (first + count) * melBands)
  }
}
