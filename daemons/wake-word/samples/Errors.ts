/** Refusals of the samples' endpoints. */
import { Schema } from "effect"
import { HttpApiError } from "effect/http-api"
import { codeField, declaration } from "#core/http/Problem.ts"

/** A file that was not stored, and why. */
export const RefusedFile = Schema.Struct({
  /** File name, as the client named it. */
  name: Schema.String,
  /** English. */
  reason: Schema.String
})
export type RefusedFile = typeof RefusedFile.Type

/** 422: none of the files is a recording; `refused` has the reason of each. */
export class FilesRefused extends HttpApiError.Problem<FilesRefused>()(
  "FilesRefused",
  declaration("files_refused", 422, "No file can be used"),
  { ...codeField("files_refused"), refused: Schema.Array(RefusedFile) }
) {}

/** 413: a file, or all files together, are larger than `limit`. Unit: bytes. */
export class UploadTooLarge extends HttpApiError.Problem<UploadTooLarge>()(
  "UploadTooLarge",
  declaration("payload_too_large", 413, "The body is too large"),
  { ...codeField("payload_too_large"), limit: Schema.Int }
) {}

/** 409: the tenant has `limit` recordings; some must be deleted first. */
export class SamplesFull extends HttpApiError.Problem<SamplesFull>()(
  "SamplesFull",
  declaration("samples_full", 409, "The tenant has too many recordings"),
  { ...codeField("samples_full"), limit: Schema.Int }
) {}
