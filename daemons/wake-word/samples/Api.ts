import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Multipart } from "effect/http"
import { Authentication } from "#core/auth/Authentication.ts"
import { Requires } from "#core/auth/Permissions.ts"
import * as Api from "#core/http/Api.ts"
import { Id, inTenant, page, pageOf } from "#core/http/Paging.ts"
import { InvalidRequest, NotFound } from "#core/http/Problem.ts"
import { maxRecordingSeconds, Word } from "../vocabulary/Exports.ts"
import { FilesRefused, RefusedFile, SamplesFull, UploadTooLarge } from "./Errors.ts"
import { maxField, maxFile, maxFiles, maxSamples, maxUpload } from "./UploadLimits.ts"

export const SampleView = Schema.Struct({
  id: Schema.Int,
  tenant_id: Schema.Int,
  word: Schema.String,
  /** File name, as the client named it. */
  name: Schema.String,
  /** Who speaks, as the client said; null: unknown. Training keeps some speakers for the validation. */
  speaker: Schema.NullOr(Schema.String),
  /** Unit: milliseconds. */
  duration_ms: Schema.Int,
  /** Of the file that was uploaded. Unit: samples a second. It is stored with 16,000. */
  original_rate: Schema.Int,
  created_by: Schema.String,
  created_at: Schema.String
}).annotate({ identifier: "WakeWordSample" })

export const WordSamples = Schema.Struct({
  word: Schema.String,
  count: Schema.Int,
  /** Different speakers; recordings without one count as one speaker. */
  speakers: Schema.Int,
  /** Unit: milliseconds. */
  duration_ms: Schema.Int,
  newest_at: Schema.String,
  /** The newest ones; `GET …/samples/{word}` has all. */
  samples: Schema.Array(SampleView)
}).annotate({ identifier: "WakeWordSamplesOfWord" })

export const Uploaded = Schema.Struct({
  items: Schema.Array(SampleView),
  /** Files that were not stored. */
  refused: Schema.Array(RefusedFile)
}).annotate({ identifier: "WakeWordUpload" })

const params = { word: Word }
const one = { word: Word, id: Id }

const samplesGroup = HttpApiGroup.make("wakewordSamples")
  .add(
    HttpApiEndpoint.post("upload", "/upload", {
      query: inTenant,
      payload: Schema.Struct({
        word: Word,
        speaker: Schema.optionalKey(Schema.String),
        files: Multipart.FilesSchema
      }).pipe(
        HttpApiSchema.asMultipartStream({
          maxParts: maxFiles + 2,
          maxFieldSize: maxField,
          maxFileSize: maxFile,
          maxTotalSize: maxUpload
        })
      ),
      success: Uploaded.pipe(HttpApiSchema.status(201)),
      error: [InvalidRequest, FilesRefused, UploadTooLarge, SamplesFull]
    })
      .annotate(Requires, "wakeword.manage")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Upload recordings of a word",
          description:
            "`multipart/form-data`: the field `word`, optionally `speaker` (any name for who speaks), and up to " +
            `${maxFiles} files in \`files\`. WAV: PCM of 8 to 32 bits or float, any rate, one or more channels, at ` +
            `most ${maxRecordingSeconds} seconds and ${maxFile} bytes each, ${maxUpload} bytes together. Files are ` +
            "stored with 16 kHz and one channel. `refused` has the files that are no such recording; 422 " +
            `\`files_refused\` when no file was stored. A tenant may have ${maxSamples} recordings.`
        })
      ),
    HttpApiEndpoint.get("list", "/", {
      query: { limit: page().limit, after: Schema.optionalKey(Word), ...inTenant },
      success: Schema.Struct({
        items: Schema.Array(WordSamples),
        /** Value of `after` for the next page; null on the last page. */
        next_after: Schema.NullOr(Schema.String)
      })
    })
      .annotate(Requires, "wakeword.read")
      .annotateMerge(OpenApi.annotations({ summary: "Recordings grouped by word", description: "Words ascend." })),
    HttpApiEndpoint.get("ofWord", "/:word", {
      params,
      query: { ...page(), ...inTenant },
      success: pageOf(SampleView),
      error: NotFound
    })
      .annotate(Requires, "wakeword.read")
      .annotateMerge(OpenApi.annotations({ summary: "Recordings of a word, newest first" })),
    HttpApiEndpoint.get("audio", "/:word/:id/audio", {
      params: one,
      query: inTenant,
      success: Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array({ contentType: "audio/wav" })),
      error: NotFound
    })
      .annotate(Requires, "wakeword.read")
      .annotateMerge(OpenApi.annotations({ summary: "A recording as WAV, 16 kHz, Int16, one channel" })),
    HttpApiEndpoint.delete("removeWord", "/:word", {
      params,
      query: inTenant,
      success: Schema.Struct({ deleted: Schema.Int }),
      error: NotFound
    })
      .annotate(Requires, "wakeword.manage")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Delete all recordings of a word",
          description: "Also deletes what training derived from them. Finished models stay; they contain no audio."
        })
      ),
    HttpApiEndpoint.delete("remove", "/:word/:id", {
      params: one,
      query: inTenant,
      success: HttpApiSchema.NoContent,
      error: NotFound
    })
      .annotate(Requires, "wakeword.manage")
      .annotateMerge(OpenApi.annotations({ summary: "Delete a recording" }))
  )
  .middleware(Authentication)
  .prefix("/api/v1/wakeword/samples")

export const SamplesApi = Api.make("wake-word-samples").add(samplesGroup)
