/**
 * Writes ONNX files with float input and output. Pure; the same graph gives the same bytes. Source: onnx.proto of ONNX
 * 1.12 (IR version 8, operator set 17).
 */
import { bytes, float, integer, joined, message } from "./Protobuf.ts"

export interface OnnxTensor {
  readonly name: string
  readonly shape: ReadonlyArray<number>
  readonly data: Float32Array | BigInt64Array
}

export interface OnnxNode {
  readonly operator: string
  readonly inputs: ReadonlyArray<string>
  readonly output: string
  /** Non-negative integers. */
  readonly integers?: Readonly<Record<string, number | ReadonlyArray<number>>>
  readonly floats?: Readonly<Record<string, number>>
}

export interface OnnxValue {
  readonly name: string
  /** A text is the name of an open dimension. */
  readonly shape: ReadonlyArray<number | string>
}

export interface OnnxGraph {
  readonly name: string
  readonly nodes: ReadonlyArray<OnnxNode>
  readonly tensors: ReadonlyArray<OnnxTensor>
  readonly input: OnnxValue
  readonly furtherInputs?: ReadonlyArray<OnnxValue>
  readonly output: OnnxValue
  readonly metadata: Readonly<Record<string, string>>
}

/** Version 17 has LayerNormalization. Version 18 would move the axes of ReduceMean to an input. */
const operatorSet = 17
const irVersion = 8

/** Numbers of the fields of ModelProto that are also read. */
export const modelFields = { metadata: 14 }

export const writeOnnx = (graph: OnnxGraph): Uint8Array =>
  joined([
    integer(1, irVersion),
    bytes(2, "signalbox"),
    message(7, [
      ...graph.nodes.map((node) => message(1, nodeFields(node))),
      bytes(2, graph.name),
      ...graph.tensors.map((tensor) => message(5, tensorFields(tensor))),
      ...[graph.input, ...(graph.furtherInputs ?? [])].map((input) => message(11, valueFields(input))),
      message(12, valueFields(graph.output))
    ]),
    message(8, [bytes(1, ""), integer(2, operatorSet)]),
    ...Object.entries(graph.metadata).map(([key, value]) =>
      message(modelFields.metadata, [bytes(1, key), bytes(2, value)])
    )
  ])

const nodeFields = ({ floats = {}, inputs, integers = {}, operator, output }: OnnxNode): Array<Uint8Array> => [
  ...inputs.map((input) => bytes(1, input)),
  bytes(2, output),
  bytes(3, `${operator}_${output}`),
  bytes(4, operator),
  ...Object.entries(floats).map(([name, value]) => message(5, [bytes(1, name), float(2, value), integer(20, 1)])),
  ...Object.entries(integers).map(([name, value]) =>
    typeof value === "number"
      ? message(5, [bytes(1, name), integer(3, value), integer(20, 2)])
      : message(5, [bytes(1, name), ...value.map((item) => integer(8, item)), integer(20, 7)])
  )
]

const tensorFields = ({ data, name, shape }: OnnxTensor): Array<Uint8Array> => [
  ...shape.map((size) => integer(1, size)),
  integer(2, data instanceof Float32Array ? 1 : 7),
  bytes(8, name),
  bytes(9, littleEndian(data))
]

const littleEndian = (data: Float32Array | BigInt64Array): Uint8Array => {
  const view = new DataView(new ArrayBuffer(data.byteLength))
  if (data instanceof Float32Array) data.forEach((value, index) => view.setFloat32(index * 4, value, true))
  else data.forEach((value, index) => view.setBigInt64(index * 8, value, true))
  return new Uint8Array(view.buffer)
}

const valueFields = ({ name, shape }: OnnxValue): Array<Uint8Array> => [
  bytes(1, name),
  message(2, [
    message(1, [
      integer(1, 1),
      message(
        2,
        shape.map((size) => message(1, [typeof size === "number" ? integer(1, size) : bytes(2, size)]))
      )
    ])
  ])
]
