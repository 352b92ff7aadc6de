// Matrix products by the ONNX runtime, which uses the vector instructions of the processor: about thirty times as
// fast as loops of TypeScript. Processors of the same kind give the same numbers.

import { type OnnxModule, type OnnxSession } from "../../protocols/wake-word/Runtime.ts"
import { writeOnnx } from "../../protocols/wake-word/OnnxWriter.ts"

/** A matrix, row by row. */
export interface Matrix {
  readonly rows: number
  readonly columns: number
  readonly data: Float32Array
}

/** `a` times `b`, either of them transposed before. The result is a new array. */
export type Product = (a: Matrix, b: Matrix) => Promise<Float32Array>

export interface MatrixProducts {
  readonly plain: Product
  /** The first one transposed. */
  readonly first: Product
  /** The second one transposed. */
  readonly second: Product
}

const options = { executionProviders: ["cpu"], intraOpNumThreads: 1, interOpNumThreads: 1, logSeverityLevel: 3 }

export const openProducts = async (): Promise<MatrixProducts> => {
  const name: string = "onnxruntime-node"
  const { InferenceSession, Tensor } = (await import(name)) as OnnxModule
  const open = async (transA: number, transB: number): Promise<Product> => {
    const model = writeOnnx({
      name: "product",
      nodes: [{ operator: "Gemm", inputs: ["a", "b"], output: "c", integers: { transA, transB } }],
      tensors: [],
      input: { name: "a", shape: ["m", "k"] },
      furtherInputs: [{ name: "b", shape: ["l", "n"] }],
      output: { name: "c", shape: ["x", "y"] },
      metadata: {}
    })
    const session: OnnxSession = await InferenceSession.create(model, options)
    const tensor = ({ columns, data, rows }: Matrix) => new Tensor("float32", data, [rows, columns])
    return async (a, b) => {
      const { c } = await session.run({ a: tensor(a), b: tensor(b) })
      return c!.data as Float32Array
    }
  }
  return { plain: await open(0, 0), first: await open(1, 0), second: await open(0, 1) }
}
