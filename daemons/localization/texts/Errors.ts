/** Refusals of the endpoints of texts. */
import { Schema } from "effect"
import { HttpApiError } from "effect/http-api"
import { codeField, declaration } from "#core/http/Problem.ts"

/** 409: the language exists already. */
export class LanguageExists extends HttpApiError.Problem<LanguageExists>()(
  "LanguageExists",
  declaration("language_exists", 409, "The language exists already"),
  codeField("language_exists")
) {}

/** 409: German and English cannot be removed. */
export class LanguageRequired extends HttpApiError.Problem<LanguageRequired>()(
  "LanguageRequired",
  declaration("language_required", 409, "The language cannot be removed"),
  codeField("language_required")
) {}

/** 409: there are as many languages or keys as there may be. */
export class TooManyTexts extends HttpApiError.Problem<TooManyTexts>()(
  "TooManyTexts",
  declaration("too_many_texts", 409, "There are too many languages or keys"),
  codeField("too_many_texts")
) {}

/** 422: the text is no valid message, or uses placeholders that the English text does not have. */
export class InvalidMessage extends HttpApiError.Problem<InvalidMessage>()(
  "InvalidMessage",
  declaration("invalid_message", 422, "The text is not a valid message"),
  { ...codeField("invalid_message"), placeholders: Schema.Array(Schema.String) }
) {}
