/** Errors of signatures and contacts. */
import { Schema } from "effect"
import { HttpApiError } from "effect/http-api"
import { codeField, declaration } from "#core/http/Problem.ts"

/** 409: the limit is reached; `limit` is the maximal number. */
export class LimitReached extends HttpApiError.Problem<LimitReached>()(
  "LimitReached",
  declaration("limit_reached", 409, "The limit is reached"),
  { ...codeField("limit_reached"), limit: Schema.Int }
) {}

/** 409: another signature of the account has this rule. */
export class SignatureRuleTaken extends HttpApiError.Problem<SignatureRuleTaken>()(
  "SignatureRuleTaken",
  declaration("signature_rule_taken", 409, "Another signature has this rule"),
  { ...codeField("signature_rule_taken"), signature_id: Schema.Int, match_value: Schema.String }
) {}
