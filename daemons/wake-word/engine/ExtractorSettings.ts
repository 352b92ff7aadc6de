/** Settings of the extractors, which listening and training share, and the files that threads get. */
import { Effect, Option } from "effect"
import { readFile } from "node:fs/promises"
import { isAbsolute, join } from "node:path"
import { oneOf, optionalText, type SettingProblem, type Values } from "#core/config/Settings.ts"
import { maxExtractorBytes, ownEmbeddingFile } from "#protocols/wake-word/OpenExtractor.ts"

const hex = (text: string) => (/^[0-9a-f]{64}$/.test(text) ? undefined : "must be a SHA-256 in lower-case hexadecimal")

export const extractorSettings = {
  extractor: oneOf("SIGNALBOX_WAKE_WORD_EXTRACTOR", {
    doc:
      "Extractor of new models: `own`, which is built in, or `openwakeword`, whose two files " +
      "SIGNALBOX_WAKE_WORD_FEATURES holds. A model works only with the extractor that it was trained with",
    words: ["own", "openwakeword"],
    default: "own"
  }),
  featureFolder: optionalText("SIGNALBOX_WAKE_WORD_FEATURES", {
    doc:
      "Folder with melspectrogram.onnx and embedding_model.onnx of openWakeWord (v0.5.1); unset: only models of our " +
      "own extractor work",
    check: (path) => (isAbsolute(path) ? undefined : `${path} is not an absolute path`)
  }),
  melSha256: optionalText("SIGNALBOX_WAKE_WORD_MEL_SHA256", {
    doc: "Expected SHA-256 of melspectrogram.onnx; unset: only its shape is checked",
    check: hex
  }),
  embeddingSha256: optionalText("SIGNALBOX_WAKE_WORD_EMBEDDING_SHA256", {
    doc: "Expected SHA-256 of embedding_model.onnx; unset: only its shape is checked",
    check: hex
  })
}

export type ExtractorConfig = Values<typeof extractorSettings>

/** Problems of the settings together. */
export const extractorConflicts = ({ extractor, featureFolder }: ExtractorConfig): ReadonlyArray<SettingProblem> =>
  extractor === "openwakeword" && featureFolder === undefined
    ? [{ name: "SIGNALBOX_WAKE_WORD_FEATURES", message: "is required with SIGNALBOX_WAKE_WORD_EXTRACTOR=openwakeword" }]
    : []

/** What a thread needs for its extractors. It can be sent to a thread. */
export interface ExtractorSource {
  /** Extractor of new models. */
  readonly chosen: "own" | "openwakeword"
  /** The files of openWakeWord; `problem` when they cannot be read. Undefined: not configured. */
  readonly files:
    | {
        readonly mel: Uint8Array
        readonly embedding: Uint8Array
        readonly melSha256?: string
        readonly embeddingSha256?: string
      }
    | { readonly problem: string }
    | undefined
}

/** Reads the files that the settings name. Never fails. */
export const extractorSource = (config: ExtractorConfig): Effect.Effect<ExtractorSource> => {
  const { embeddingSha256, extractor: chosen, featureFolder, melSha256 } = config
  if (featureFolder === undefined) return Effect.succeed({ chosen, files: undefined })
  return Effect.promise(async (): Promise<ExtractorSource> => {
    try {
      const [mel, embedding] = await Promise.all(
        ["melspectrogram.onnx", "embedding_model.onnx"].map((name) => bounded(join(featureFolder, name)))
      )
      return {
        chosen,
        files: {
          mel: mel!,
          embedding: embedding!,
          ...(melSha256 === undefined ? {} : { melSha256 }),
          ...(embeddingSha256 === undefined ? {} : { embeddingSha256 })
        }
      }
    } catch (error) {
      return { chosen, files: { problem: error instanceof Error ? error.message : String(error) } }
    }
  })
}

const bounded = async (path: string): Promise<Uint8Array> => {
  const bytes = await readFile(path)
  if (bytes.length > maxExtractorBytes) throw new Error(`${path} is larger than ${maxExtractorBytes} bytes`)
  return new Uint8Array(bytes)
}

/** A file of an extractor that browsers can use. */
export type ExtractorFile = "mel" | "embedding"

/** The file of this extractor; none: it has no such file, or another extractor is present. */
export const extractorFile = (
  { files }: ExtractorSource,
  file: ExtractorFile,
  extractor: string
): Effect.Effect<Option.Option<Uint8Array<ArrayBuffer>>> => {
  if (extractor.startsWith("openwakeword"))
    return Effect.succeed(
      files === undefined || "problem" in files ? Option.none() : Option.some(new Uint8Array(files[file]))
    )
  if (file === "mel") return Effect.succeed(Option.none())
  return Effect.promise(() =>
    readFile(ownEmbeddingFile).then(
      (bytes) => Option.some(new Uint8Array(bytes)),
      () => Option.none()
    )
  )
}
