/** Our embedding as an ONNX file: [B, 76, 32, 1] in, [B, 96] out. Pure. */
import { type Convolution, embeddingLayout } from "./Embedding.ts"
import { epsilon } from "./LayerNorm.ts"
import { type OnnxNode, type OnnxTensor, writeOnnx } from "./OnnxWriter.ts"
import { embeddingSize, melBands, windowFrames } from "./Shape.ts"

/** Deterministic: the same weights and metadata give the same bytes. */
export const writeEmbedding = (values: Float32Array, metadata: Readonly<Record<string, string>>): Uint8Array => {
  const { convolutions, last } = embeddingLayout
  const image = (index: number) => (index === 0 ? "image" : `convolution${index - 1}.out`)
  // The kernel of the first one covers all bands; further on there is one column.
  const width = (index: number) => (index === 0 ? melBands : 1)
  return writeOnnx({
    name: "wake-word-embedding",
    nodes: [
      { operator: "ReduceMean", inputs: ["x"], output: "mean", integers: { axes: [1, 2, 3], keepdims: 1 } },
      { operator: "Sub", inputs: ["x", "mean"], output: "centred" },
      { operator: "Reshape", inputs: ["centred", "shape"], output: "image" },
      ...convolutions.flatMap((layer, index) =>
        convolutionNodes(`convolution${index}`, image(index), layer, width(index))
      ),
      { operator: "Flatten", inputs: [image(convolutions.length)], output: "flat", integers: { axis: 1 } },
      { operator: "Gemm", inputs: ["flat", "last.weights", "last.biases"], output: "sums" },
      {
        operator: "LayerNormalization",
        inputs: ["sums", "gains", "shifts"],
        output: "embedding",
        integers: { axis: 1 },
        floats: { epsilon }
      }
    ],
    tensors: [
      // 0 keeps the batch size.
      { name: "shape", shape: [4], data: BigInt64Array.from([0n, 1n, BigInt(windowFrames), BigInt(melBands)]) },
      ...convolutions.flatMap((layer, index) => convolutionTensors(`convolution${index}`, layer, values, width(index))),
      { name: "last.weights", shape: [last.inputs, embeddingSize], data: lastWeights(values) },
      { name: "last.biases", shape: [embeddingSize], data: values.slice(last.biases, last.biases + embeddingSize) },
      { name: "gains", shape: [embeddingSize], data: new Float32Array(embeddingSize).fill(1) },
      { name: "shifts", shape: [embeddingSize], data: new Float32Array(embeddingSize) }
    ],
    input: { name: "x", shape: ["batch", windowFrames, melBands, 1] },
    output: { name: "embedding", shape: ["batch", embeddingSize] },
    metadata
  })
}

const convolutionNodes = (
  name: string,
  input: string,
  { kernel, stride }: Convolution,
  width: number
): ReadonlyArray<OnnxNode> => [
  {
    operator: "Conv",
    inputs: [input, `${name}.weights`, `${name}.biases`],
    output: `${name}.sums`,
    integers: { kernel_shape: [kernel, width], strides: [stride, width] }
  },
  { operator: "Relu", inputs: [`${name}.sums`], output: `${name}.out` }
]

/** ONNX has [outputs, channels, rows, columns]; ours are [rows, columns or channels, outputs]. */
const convolutionTensors = (
  name: string,
  { biases, channels, kernel, outputs, weights }: Convolution,
  values: Float32Array,
  width: number
): ReadonlyArray<OnnxTensor> => {
  const data = new Float32Array(outputs * kernel * channels)
  for (let output = 0; output < outputs; output++)
    for (let row = 0; row < kernel; row++)
      for (let channel = 0; channel < channels; channel++) {
        const inner = width === 1 ? channel * kernel + row : row * channels + channel
        data[output * kernel * channels + inner] = values[weights + (row * channels + channel) * outputs + output]!
      }
  const shape = width === 1 ? [outputs, channels, kernel, 1] : [outputs, 1, kernel, width]
  return [
    { name: `${name}.weights`, shape, data },
    { name: `${name}.biases`, shape: [outputs], data: values.slice(biases, biases + outputs) }
  ]
}

/** Flatten gives [channels, rows]; our rows of weights are [rows, channels]. */
const lastWeights = (values: Float32Array): Float32Array => {
  const { convolutions, last } = embeddingLayout
  const top = convolutions.at(-1)!
  const data = new Float32Array(last.inputs * embeddingSize)
  for (let row = 0; row < top.rows; row++)
    for (let channel = 0; channel < top.outputs; channel++) {
      const from = last.weights + (row * top.outputs + channel) * embeddingSize
      data.set(values.subarray(from, from + embeddingSize), (channel * top.rows + row) * embeddingSize)
    }
  return data
}
