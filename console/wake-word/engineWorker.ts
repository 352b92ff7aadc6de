/** The engine's thread: computes the scores with the code and the model files of the server, in WebAssembly. */
import { Effect } from "effect"
import { env, InferenceSession, Tensor } from "onnxruntime-web/wasm"
import wasm from "onnxruntime-web/ort-wasm-simd-threaded.wasm?url"
import type { Extractor } from "../../protocols/wake-word/Extractor.ts"
import { type Head, openHead, readHeadFacts } from "../../protocols/wake-word/HeadModel.ts"
import { openWakeWordExtractor } from "../../protocols/wake-word/OpenWakeWord.ts"
import { ownExtractor } from "../../protocols/wake-word/OwnExtractor.ts"
import { type OnnxModule, runtimeOf } from "../../protocols/wake-word/Runtime.ts"
import { runSteps } from "../../protocols/wake-word/Steps.ts"
import { makeStream, pushBytes, type StreamState, waitingSteps } from "../../protocols/wake-word/StreamState.ts"
import type { EngineFiles, FromEngine, ToEngine } from "./EngineMessages.ts"

// The DOM library of TypeScript describes pages, not threads.
const thread = self as unknown as {
  onmessage: (event: { readonly data: ToEngine }) => void
  postMessage: (message: FromEngine) => void
}

// All files come from the page's own host. One thread is faster than several for networks of this size.
env.wasm.wasmPaths = { wasm }
env.wasm.numThreads = 1
env.logLevel = "error"

const sha256 = async (...parts: ReadonlyArray<ArrayBuffer>): Promise<string> => {
  const digest = await crypto.subtle.digest("SHA-256", await new Blob([...parts]).arrayBuffer())
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("")
}

const open = ({ embedding, mel, model }: EngineFiles) =>
  Effect.gen(function* () {
    const runtime = runtimeOf("onnxruntime-web", { InferenceSession, Tensor } as unknown as OnnxModule)
    const bytes = new Uint8Array(model)
    const { threshold } = yield* Effect.fromResult(readHeadFacts(bytes))
    const session = yield* runtime.open(new Uint8Array(embedding))
    let extractor: Extractor
    if (mel === undefined) {
      const digest = yield* Effect.promise(() => sha256(embedding))
      extractor = yield* Effect.promise(() => ownExtractor(session, digest))
    } else {
      const digest = yield* Effect.promise(() => sha256(mel, embedding))
      const melSession = yield* runtime.open(new Uint8Array(mel))
      extractor = yield* openWakeWordExtractor(melSession, session, `openwakeword-${digest.slice(0, 16)}`)
    }
    const head = yield* openHead(runtime, bytes, extractor.id)
    return { extractor, head, threshold, stream: makeStream(extractor.idle) }
  })

interface Engine {
  readonly extractor: Extractor
  readonly head: Head
  readonly threshold: number
  readonly stream: StreamState
}

let engine: Engine | undefined
let busy = false

/** Computes all waiting steps, one after the other. */
const compute = async ({ extractor, head, stream, threshold }: Engine): Promise<void> => {
  if (busy) return
  busy = true
  try {
    while (waitingSteps(stream) > 0) {
      const [result] = await runSteps(extractor, [{ stream, head, threshold }])
      thread.postMessage({ kind: "step", score: result!.score, wake: result!.wake })
    }
  } catch (error) {
    fail(error)
  }
  busy = false
}

const fail = (error: unknown): void =>
  thread.postMessage({ kind: "failed", problem: error instanceof Error ? error.message : String(error) })

thread.onmessage = ({ data }) => {
  if (data.kind === "open") {
    Effect.runPromise(open(data.files)).then((opened) => {
      engine = opened
      thread.postMessage({ kind: "ready", word: opened.head.word })
    }, fail)
    return
  }
  if (engine === undefined) return
  // A computer that is too slow loses sound; the waiting part stays bounded.
  pushBytes(engine.stream, new Uint8Array(data.frame.buffer, data.frame.byteOffset, data.frame.byteLength))
  void compute(engine)
}
