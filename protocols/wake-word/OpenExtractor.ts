/** Opens the extractors from their files. */
import { Effect } from "effect"
import { createHash } from "node:crypto"
import { readFile } from "node:fs/promises"
import type { Extractor } from "./Extractor.ts"
import { openWakeWordExtractor } from "./OpenWakeWord.ts"
import { ownExtractor } from "./OwnExtractor.ts"
import type { Runtime } from "./Runtime.ts"
import { badModel, failure, tooLarge, type WakeWordError } from "./WakeWordError.ts"

/** The file of our embedding. The bundle has a copy next to it (scripts/build.js). */
export const ownEmbeddingFile = new URL("./wake-word-embedding.onnx", import.meta.url)

/** Largest file of an extractor. Unit: bytes. Reason: those of openWakeWord have 1.1 and 1.3 MB. */
export const maxExtractorBytes = 16 * 1024 * 1024

/** Our own extractor; needs no other file than the one in this folder. */
export const openOwn = (runtime: Runtime): Effect.Effect<Extractor, WakeWordError> =>
  Effect.gen(function* () {
    const model = yield* Effect.tryPromise({
      try: () => readFile(ownEmbeddingFile),
      catch: () => badModel("the file of our embedding is missing")
    })
    const session = yield* runtime.open(model)
    return yield* Effect.promise(() => ownExtractor(session, sha256(model)))
  })

/** The two files of openWakeWord that an operator supplies. */
export interface OpenWakeWordFiles {
  /** `melspectrogram.onnx` */
  readonly mel: Uint8Array
  /** `embedding_model.onnx` */
  readonly embedding: Uint8Array
  /** Expected SHA-256, hexadecimal, where the operator states it. */
  readonly melSha256?: string
  readonly embeddingSha256?: string
}

/** The extractor of openWakeWord. Fails with `BadChecksum`, or with `BadModel` when a file has another shape. */
export const openOpenWakeWord = (
  runtime: Runtime,
  { embedding, embeddingSha256, mel, melSha256 }: OpenWakeWordFiles
): Effect.Effect<Extractor, WakeWordError> =>
  Effect.gen(function* () {
    yield* check("melspectrogram.onnx", mel, melSha256)
    yield* check("embedding_model.onnx", embedding, embeddingSha256)
    const id = `openwakeword-${sha256(mel, embedding).slice(0, 16)}`
    const melSession = yield* runtime.open(mel)
    const closeMel = Effect.promise(melSession.close)
    const embeddingSession = yield* Effect.tapError(runtime.open(embedding), () => closeMel)
    return yield* Effect.tapError(openWakeWordExtractor(melSession, embeddingSession, id), () =>
      Effect.andThen(closeMel, Effect.promise(embeddingSession.close))
    )
  })

const check = (file: string, bytes: Uint8Array, expected?: string): Effect.Effect<void, WakeWordError> => {
  if (bytes.length > maxExtractorBytes) return Effect.fail(tooLarge("maxExtractorBytes"))
  return expected === undefined || expected.toLowerCase() === sha256(bytes)
    ? Effect.void
    : Effect.fail(failure({ _tag: "BadChecksum", file }))
}

/** Hexadecimal SHA-256 of the parts one after the other. */
export const sha256 = (...parts: ReadonlyArray<Uint8Array>): string =>
  parts.reduce((hash, part) => hash.update(part), createHash("sha256")).digest("hex")
