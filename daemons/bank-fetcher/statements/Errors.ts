/** Errors of the endpoints of statements, and of the storing of files. */
import { Schema } from "effect"
import { HttpApiError } from "effect/http-api"
import { codeField, declaration } from "#core/http/Problem.ts"

/** 422: the body is no file with statements. Nothing was stored. */
export class NotRead extends HttpApiError.Problem<NotRead>()(
  "NotRead",
  declaration("not_a_bank_file", 422, "The body is not a file with bank statements"),
  codeField("not_a_bank_file")
) {}

/** 413: the file exceeds a bound. Nothing was stored. `limit` unit: bytes. */
export class TooLarge extends HttpApiError.Problem<TooLarge>()(
  "TooLarge",
  declaration("payload_too_large", 413, "The body is too large"),
  { ...codeField("payload_too_large"), limit: Schema.Int }
) {}

/** 429: the tenant has imported as much as it may within a day, or has too many uploads at the same time. */
export class TooManyImports extends HttpApiError.Problem<TooManyImports>()(
  "TooManyImports",
  declaration("too_many_imports", 429, "Too much was imported"),
  codeField("too_many_imports")
) {}

/** A file was not stored, so the bank must send it again. A retry may help. */
export class StoringFailed extends Schema.TaggedError<StoringFailed>()("StoringFailed", { detail: Schema.String }) {
  override get message(): string {
    return `the file was not stored: ${this.detail}`
  }
}
