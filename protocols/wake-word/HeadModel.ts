/** A trained wake word as an ONNX file: [B, 16, 96] in, [B, 1] out, with word and extractor in its metadata. */
import { Effect, Result } from "effect"
import type { Dense } from "./Dense.ts"
import { headLayout, type HeadWeights, lookSteps, networksOf, stepFeatures } from "./Head.ts"
import { epsilon } from "./LayerNorm.ts"
import { modelFields, type OnnxNode, type OnnxTensor, writeOnnx } from "./OnnxWriter.ts"
import { readFields } from "./Protobuf.ts"
import type { Runtime } from "./Runtime.ts"
import { embeddingSize, headSteps } from "./Shape.ts"
import { badModel, failure, tooLarge, type WakeWordError } from "./WakeWordError.ts"

/** Largest file of a head. Unit: bytes. Reason: 128 hidden units need 0.9 MB. */
export const maxHeadBytes = 4 * 1024 * 1024

export interface HeadFacts {
  readonly word: string
  readonly language: string
  /** Id of the extractor. */
  readonly extractor: string
  readonly threshold: number
}

/** A loaded head. */
export interface Head extends HeadFacts {
  /** `inputs`: `count` times 16 x 96 values. Result: `count` scores from 0 to 1. */
  readonly score: (inputs: Float32Array, count: number) => Promise<Float32Array>
  readonly close: () => Promise<void>
}

/** Names of the facts in the metadata. */
const keys = {
  word: "signalbox.word",
  language: "signalbox.language",
  extractor: "signalbox.extractor",
  threshold: "signalbox.threshold"
} as const

/** Deterministic: the same weights and facts give the same bytes. */
export const writeHead = (weights: HeadWeights, facts: HeadFacts): Uint8Array => {
  const networks = networksOf(weights).map(networkGraph)
  return writeOnnx({
    name: "wake-word",
    nodes: [
      ...networks.flatMap(({ nodes }) => nodes),
      { operator: "Mean", inputs: networks.map(({ logit }) => logit), output: "logit" },
      { operator: "Sigmoid", inputs: ["logit"], output: "score" }
    ],
    tensors: [
      // 0 keeps the batch size.
      { name: "shape", shape: [4], data: BigInt64Array.from([0n, 1n, BigInt(headSteps), BigInt(stepFeatures)]) },
      ...networks.flatMap(({ tensors }) => tensors)
    ],
    input: { name: "x", shape: ["batch", headSteps, embeddingSize] },
    output: { name: "score", shape: ["batch", 1] },
    metadata: {
      [keys.word]: facts.word,
      [keys.language]: facts.language,
      [keys.extractor]: facts.extractor,
      [keys.threshold]: String(facts.threshold)
    }
  })
}

/** Nodes and tensors of one network, and the name of its result. All names but `x` and `shape` end with its number. */
const networkGraph = ({ hidden, values }: HeadWeights, index: number) => {
  const { first, last, second } = headLayout(hidden)
  const named = (name: string) => `${name}.${index}`
  const own = (name: string) => (name === "x" || name === "shape" ? name : named(name))
  const part = (name: string, from: number, ...shape: ReadonlyArray<number>): OnnxTensor => ({
    name: named(name),
    shape,
    data: values.slice(from, from + shape.reduce((size, length) => size * length, 1))
  })
  const nodes: ReadonlyArray<OnnxNode> = [
    { operator: "MatMul", inputs: ["x", "first.weights"], output: "first.products" },
    { operator: "Add", inputs: ["first.products", "first.biases"], output: "first.sums" },
    { operator: "Relu", inputs: ["first.sums"], output: "first.out" },
    // The looks are the rows of a convolution whose kernel covers all values of a step.
    { operator: "Reshape", inputs: ["first.out", "shape"], output: "image" },
    {
      operator: "Conv",
      inputs: ["image", "second.weights", "second.biases"],
      output: "looks",
      integers: { kernel_shape: [lookSteps, stepFeatures] }
    },
    { operator: "Transpose", inputs: ["looks"], output: "second.sums", integers: { perm: [0, 2, 3, 1] } },
    {
      operator: "LayerNormalization",
      inputs: ["second.sums", "second.gains", "second.shifts"],
      output: "second.norm",
      integers: { axis: 3 },
      floats: { epsilon }
    },
    { operator: "Relu", inputs: ["second.norm"], output: "second.out" },
    { operator: "MatMul", inputs: ["second.out", "last.weights"], output: "last.products" },
    { operator: "Add", inputs: ["last.products", "last.biases"], output: "logits" },
    { operator: "ReduceMean", inputs: ["logits"], output: "logit", integers: { axes: [1, 2], keepdims: 0 } }
  ]
  return {
    logit: named("logit"),
    nodes: nodes.map((node) => ({ ...node, inputs: node.inputs.map(own), output: own(node.output) })),
    tensors: [
      part("first.weights", first.weights, embeddingSize, stepFeatures),
      part("first.biases", first.biases, stepFeatures),
      {
        name: named("second.weights"),
        shape: [hidden, 1, lookSteps, stepFeatures],
        data: kernels(second, values)
      } satisfies OnnxTensor,
      part("second.biases", second.biases, hidden),
      part("second.gains", second.gains, hidden),
      part("second.shifts", second.shifts, hidden),
      part("last.weights", last.weights, hidden, 1),
      part("last.biases", last.biases, 1)
    ]
  }
}

/** ONNX has [outputs, 1, rows, columns]; ours are [rows and columns, outputs]. */
const kernels = ({ inputs, outputs, weights }: Dense, values: Float32Array): Float32Array => {
  const data = new Float32Array(outputs * inputs)
  for (let output = 0; output < outputs; output++)
    for (let input = 0; input < inputs; input++)
      data[output * inputs + input] = values[weights + input * outputs + output]!
  return data
}

/** Reads the metadata that `writeHead` wrote, without a runtime. Fails with `BadModel` or `TooLarge`. */
export const readHeadFacts = (model: Uint8Array): Result.Result<HeadFacts, WakeWordError> => {
  if (model.length > maxHeadBytes) return Result.fail(tooLarge("maxHeadBytes"))
  return Result.flatMap(readMetadata(model), (metadata) => {
    const [word, language, extractor] = [keys.word, keys.language, keys.extractor].map((key) => metadata.get(key))
    const threshold = Number(metadata.get(keys.threshold))
    return word === undefined || language === undefined || extractor === undefined || !(threshold > 0 && threshold < 1)
      ? Result.fail(badModel("it names no word or no extractor"))
      : Result.succeed({ word, language, extractor, threshold })
  })
}

const readMetadata = (model: Uint8Array): Result.Result<ReadonlyMap<string, string>, WakeWordError> =>
  Result.flatMap(readFields(model), (fields) => {
    const metadata = new Map<string, string>()
    for (const { content, number } of fields) {
      if (number !== modelFields.metadata) continue
      const pair = readFields(content)
      if (Result.isFailure(pair)) return Result.fail(pair.failure)
      const text = (wanted: number) =>
        new TextDecoder().decode(pair.success.find((field) => field.number === wanted)?.content)
      metadata.set(text(1), text(2))
    }
    return Result.succeed(metadata)
  })

/** Loads a head. Fails with `OtherExtractor` when the model was made with another extractor. */
export const openHead = (
  runtime: Runtime,
  model: Uint8Array,
  extractorId: string
): Effect.Effect<Head, WakeWordError> =>
  Effect.gen(function* () {
    const facts = yield* Effect.fromResult(readHeadFacts(model))
    if (facts.extractor !== extractorId)
      return yield* Effect.fail(failure({ _tag: "OtherExtractor", made: facts.extractor, present: extractorId }))
    const session = yield* runtime.open(model)
    const [, steps, size] = session.inputShape
    if (steps !== headSteps || size !== embeddingSize) {
      yield* Effect.promise(session.close)
      return yield* Effect.fail(badModel("its input is not [B, 16, 96]"))
    }
    return {
      ...facts,
      score: (inputs, count) => session.run(inputs, [count, headSteps, embeddingSize]),
      close: session.close
    } satisfies Head
  })
