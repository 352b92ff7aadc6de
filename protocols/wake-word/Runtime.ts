/**
 * The ONNX runtime: onnxruntime-node where it is installed, otherwise onnxruntime-web (WebAssembly). Loaded lazily, so
 * that a process starts without either.
 */
import { Effect } from "effect"
import { badModel, failure, type WakeWordError } from "./WakeWordError.ts"

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

/** Put around every call into the package. Reason: a thread must not be terminated during one. */
export type AroundCall = <A>(call: () => Promise<A>) => Promise<A>

/** Loads a runtime once per thread. `only`: does not try the other one. Fails with `RuntimeMissing`. */
export const loadRuntime = (
  only?: Runtime["name"],
  around: AroundCall = (call) => call()
): Effect.Effect<Runtime, WakeWordError> =>
  only === undefined
    ? Effect.catch(load("onnxruntime-node", around), () => load("onnxruntime-web", around))
    : load(only, around)

/** The part of onnxruntime-common that is used. Both packages have it. */
export interface OnnxModule {
  readonly InferenceSession: { readonly create: (model: Uint8Array, options: object) => Promise<OnnxSession> }
  readonly Tensor: new (type: "float32", data: Float32Array, dims: ReadonlyArray<number>) => OnnxTensor
}

export interface OnnxTensor {
  readonly data: unknown
}

export interface OnnxSession {
  readonly inputNames: ReadonlyArray<string>
  readonly outputNames: ReadonlyArray<string>
  readonly inputMetadata: ReadonlyArray<{ readonly shape?: ReadonlyArray<number | string> }>
  readonly run: (feeds: Record<string, OnnxTensor>) => Promise<Record<string, OnnxTensor>>
  readonly release: () => Promise<void>
}

/** The specifier is not constant, so that neither the compiler nor the bundler needs the package. */
const load = (name: Runtime["name"], around: AroundCall): Effect.Effect<Runtime, WakeWordError> =>
  Effect.tryPromise({
    try: async () => {
      const found = await around(() => import(name) as Promise<OnnxModule & { readonly default?: OnnxModule }>)
      return runtimeOf(name, found.default ?? found, around)
    },
    catch: (error) => failure({ _tag: "RuntimeMissing", why: `${name}: ${codeOf(error)}` })
  })

/** The code of Node's error, because its message contains paths. */
const codeOf = (error: unknown): string =>
  error instanceof Error ? ((error as NodeJS.ErrnoException).code ?? error.name) : "unknown"

/**
 * Options of a session. One thread: many small runs scale over our own threads. The arena would keep the memory of the
 * largest batch for each session.
 */
const options = {
  executionProviders: ["cpu"],
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  graphOptimizationLevel: "all",
  logSeverityLevel: 3
}

/** A runtime of a loaded package. Browsers call it with the module that the page has loaded. */
export const runtimeOf = (
  name: Runtime["name"],
  module: OnnxModule,
  around: AroundCall = (call) => call()
): Runtime => ({
  name,
  open: (model) =>
    Effect.flatMap(
      Effect.tryPromise({
        try: () =>
          around(() =>
            module.InferenceSession.create(
              model,
              name === "onnxruntime-node" ? options : { ...options, executionProviders: ["wasm"] }
            )
          ),
        catch: () => badModel("the ONNX runtime refuses it")
      }),
      (session) => sessionOf(module, session, around)
    )
})

const sessionOf = (
  module: OnnxModule,
  session: OnnxSession,
  around: AroundCall
): Effect.Effect<Session, WakeWordError> => {
  const [inputName, ...furtherInputs] = session.inputNames
  const [outputName, ...furtherOutputs] = session.outputNames
  if (inputName === undefined || outputName === undefined || furtherInputs.length + furtherOutputs.length > 0)
    return Effect.fail(badModel("it does not have one input and one output"))
  return Effect.succeed({
    inputName,
    outputName,
    inputShape: (session.inputMetadata[0]?.shape ?? []).map((size) =>
      typeof size === "number" && size > 0 ? size : undefined
    ),
    run: async (input, shape) => {
      const results = await around(() => session.run({ [inputName]: new module.Tensor("float32", input, shape) }))
      return results[outputName]!.data as Float32Array
    },
    close: () => around(() => session.release())
  })
}
