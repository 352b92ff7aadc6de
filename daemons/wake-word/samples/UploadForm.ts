/** Reads the form of an upload: bounded, in memory, in any order of its parts. */
import { Effect, Result, Schema, Stream } from "effect"
import type { Multipart } from "effect/http"
import { createHash } from "node:crypto"
import { InvalidRequest } from "#core/http/Problem.ts"
import { sampleRate } from "#protocols/wake-word/Shape.ts"
import { readWav } from "#protocols/wake-word/Wav.ts"
import { readWavHeader } from "#protocols/wake-word/WavHeader.ts"
import { maxRecordingSeconds, normalWord, Word } from "../vocabulary/Exports.ts"
import { type RefusedFile, UploadTooLarge } from "./Errors.ts"
import type { NewSample } from "./Store.ts"
import { maxFile, maxFileName, maxFiles, maxSpeaker, maxUpload } from "./UploadLimits.ts"

export interface UploadedForm {
  readonly word: string
  readonly speaker: string | null
  readonly files: ReadonlyArray<{ readonly name: string; readonly bytes: Uint8Array }>
}

const invalid = (field: string, message: string) => new InvalidRequest({ errors: [{ field, message }] })

/** Fields and files of the form. A broken form is an invalid request. */
export const readForm = (
  parts: Stream.Stream<Multipart.Part, Multipart.MultipartError>
): Effect.Effect<UploadedForm, InvalidRequest | UploadTooLarge> =>
  Effect.gen(function* () {
    const fields = new Map<string, string>()
    const files: Array<{ readonly name: string; readonly bytes: Uint8Array }> = []
    let size = 0
    yield* Stream.runForEach(
      parts,
      (part): Effect.Effect<void, InvalidRequest | UploadTooLarge | Multipart.MultipartError> => {
        if (part._tag === "Field") {
          if (part.key !== "word" && part.key !== "speaker")
            return Effect.fail(invalid("payload", "The form has an unknown field."))
          return Effect.sync(() => void fields.set(part.key, part.value))
        }
        if (part.key !== "files") return Effect.fail(invalid("payload", "Files belong to the field `files`."))
        if (files.length === maxFiles) return Effect.fail(invalid("payload.files", `at most ${maxFiles} files`))
        return Effect.flatMap(part.contentEffect, (bytes) => {
          size += bytes.length
          if (bytes.length > maxFile || size > maxUpload) return Effect.fail(tooLarge)
          files.push({ name: shownName(part.name), bytes })
          return Effect.void
        })
      }
    ).pipe(
      Effect.catchTag("MultipartError", ({ reason }) =>
        Effect.fail(
          reason._tag === "FileTooLarge" || reason._tag === "BodyTooLarge"
            ? tooLarge
            : reason._tag === "TooManyParts"
              ? invalid("payload.files", `at most ${maxFiles} files`)
              : invalid("payload", "The body is not a readable multipart form.")
        )
      )
    )
    const word = fields.get("word")
    const speaker = fields.get("speaker")?.normalize("NFC").trim() ?? ""
    if (word === undefined || !Schema.is(Word)(word))
      return yield* invalid("payload.word", "must be a word or a short phrase of letters and digits")
    if (speaker.length > maxSpeaker || /\p{Cc}/u.test(speaker) || !speaker.isWellFormed())
      return yield* invalid("payload.speaker", `must have at most ${maxSpeaker} characters`)
    if (files.length === 0) return yield* invalid("payload.files", "must have a file")
    return { word: normalWord(word), speaker: speaker === "" ? null : speaker, files }
  })

const tooLarge = new UploadTooLarge({
  detail: `At most ${maxFile} bytes for a file and ${maxUpload} bytes together.`,
  limit: maxFile
})

/** The last part of a file name, without control characters. */
const shownName = (name: string): string => {
  const last =
    name
      .toWellFormed()
      .replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, " ")
      .split(/[/\\]/)
      .at(-1)
      ?.trim() ?? ""
  return Array.from(last).slice(0, maxFileName).join("") || "recording.wav"
}

/** Shortest recording. Unit: milliseconds. Reason: no word is shorter. */
const minRecording = 100

/** The recording of a file, or why it is none. Pure. */
export const recordingOf = ({ bytes, name }: UploadedForm["files"][number]): Result.Result<NewSample, RefusedFile> => {
  const refused = (reason: string) => Result.fail({ name, reason })
  const header = readWavHeader(bytes)
  if (Result.isFailure(header)) return refused(header.failure.message)
  const samples = readWav(bytes, { seconds: maxRecordingSeconds })
  if (Result.isFailure(samples)) return refused(samples.failure.message)
  const durationMs = Math.round((samples.success.length / sampleRate) * 1000)
  if (durationMs < minRecording) return refused(`it has ${durationMs} ms, less than ${minRecording} ms`)
  const audio = littleEndian(samples.success)
  return Result.succeed({
    name,
    durationMs,
    originalRate: header.success.sampleRate,
    sha256: createHash("sha256").update(audio).digest("hex"),
    audio
  })
}

/** Samples as bytes. The machines that this runs on are little-endian. */
const littleEndian = (samples: Int16Array): Uint8Array =>
  new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength)
