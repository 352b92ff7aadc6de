/** The ONNX runtime: onnxruntime-node where it is installed, otherwise onnxruntime-web (WebAssembly). Loaded lazily. */
import { Effect } from "effect"
import { failure, type WakeWordError } from "./WakeWordError.ts"

/** A loaded model with one float input and one float output. */
export interface Session {
  readonly inputName: string
  readonly outputName: string
  /** Dimensions of the input; undefined where the model leaves them open. */
  readonly inputShape: ReadonlyArray<number | undefined>
  /** Runs the model on the calling thread. The result is a new array. */
  readonly run: (input: Float32Array, shape: ReadonlyArray<number>) => Promise<Float32Array>
  readonly close: () => Promise<void>
}

export interface Runtime {
  readonly name: "onnxruntime-node" | "onnxruntime-web"
  /** Fails with `BadModel` when the runtime refuses the file. One thread for a run. */
  readonly open: (model: Uint8Array) => Effect.Effect<Session, WakeWordError>
}

/** Loads a runtime once per thread. `only`: does not try the other one. Fails with `RuntimeMissing`. */
export const loadRuntime = (only?: Runtime["name"]): Effect.Effect<Runtime, WakeWordError> =>
  Effect.fail(failure({ _tag: "RuntimeMissing", why: `not implemented ${only}` }))
