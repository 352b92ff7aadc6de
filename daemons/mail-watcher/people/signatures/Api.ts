import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authentication } from "#core/auth/Authentication.ts"
import { Requires } from "#core/auth/Permissions.ts"
import { boundedList } from "#core/http/BoundedList.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import { Id, page, pageOf, plainText } from "#core/http/Paging.ts"
import { NotFound } from "#core/http/Problem.ts"
import { maxAddress, normaliseEmail } from "#protocols/mail-address/EmailAddress.ts"
import { AccountNeeded, accountQuery } from "../../accounts/Exports.ts"
import { LimitReached, SignatureRuleTaken } from "../Errors.ts"
import { maxHtml } from "./SignatureHtml.ts"
import { type SignatureRule, normaliseRule } from "./SignatureRules.ts"

/** Longest name. Unit: characters. */
const maxName = 200

/** Maximum number of rules per signature. Reason: all domains of a customer. */
const maxRules = 50

const Rule = Schema.Struct({
  match_type: Schema.Literals(["address", "domain"]),
  match_value: Schema.String.pipe(Schema.check(Schema.isMinLength(1), Schema.isMaxLength(2 * maxAddress)))
})

const rightRule = Schema.makeFilter((rule: SignatureRule) =>
  normaliseRule(rule) === undefined
    ? {
        path: ["match_value"],
        issue: rule.match_type === "address" ? "must be a whole mail address" : "must be a domain, or *. and a domain"
      }
    : undefined
)

export const SignatureView = Schema.Struct({
  id: Schema.Int,
  name: Schema.String,
  /** Sanitised. */
  html: Schema.String,
  is_default: Schema.Boolean,
  rules: Schema.Array(Rule),
  created_at: Schema.String,
  updated_at: Schema.String
}).annotate({ identifier: "MailSignature" })

/** Mail address of a recipient. */
export const Recipient = Schema.String.pipe(
  Schema.check(
    Schema.isMinLength(1),
    Schema.isMaxLength(2 * maxAddress),
    Schema.makeFilter((text: string) =>
      text.length <= 2 * maxAddress && normaliseEmail(text) === undefined ? "must be a whole mail address" : undefined
    )
  )
)

const fields = {
  name: plainText(maxName),
  html: Schema.String.pipe(
    Schema.check(
      Schema.isMaxLength(maxHtml),
      Schema.makeFilter((text: string) =>
        text.isWellFormed() && !text.includes("\0") ? undefined : "must be text without NUL"
      )
    )
  ),
  is_default: Schema.Boolean,
  rules: boundedList(Rule.pipe(Schema.check(rightRule)), { minimum: 0, maximum: maxRules })
}

/** A new signature. */
export const NewSignature = Schema.Struct({
  name: fields.name,
  html: fields.html,
  is_default: Schema.optionalKey(fields.is_default),
  rules: Schema.optionalKey(fields.rules)
})

/** Changed fields of a signature; omitted ones stay. */
export const SignatureChange = Schema.Struct({
  name: Schema.optionalKey(fields.name),
  html: Schema.optionalKey(fields.html),
  is_default: Schema.optionalKey(fields.is_default),
  rules: Schema.optionalKey(fields.rules)
})

const params = { id: Id }
const use = "webmail.use"
/** Endpoints of signatures. */
export const signatures = HttpApiGroup.make("signatures")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: { ...accountQuery, ...page() },
      success: pageOf(SignatureView),
      error: [NotFound, AccountNeeded]
    })
      .annotate(Requires, use)
      .annotateMerge(OpenApi.annotations({ summary: "Signatures, newest first" })),
    HttpApiEndpoint.post("create", "/", {
      query: accountQuery,
      headers: Idempotency.headers,
      payload: NewSignature,
      success: SignatureView.pipe(HttpApiSchema.status(201)),
      error: [NotFound, AccountNeeded, LimitReached, SignatureRuleTaken]
    })
      .annotate(Requires, use)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Create a signature",
          description:
            "`html` is sanitised before it is stored. A rule of type `domain` matches recipients of exactly this " +
            "domain; `*.example.org` matches those of all its subdomains. A rule belongs to one signature: 409 " +
            "`signature_rule_taken` when another signature has it. A new default replaces the previous one."
        })
      ),
    HttpApiEndpoint.get("match", "/match", {
      query: { ...accountQuery, to: Recipient },
      success: SignatureView,
      error: [NotFound, AccountNeeded]
    })
      .annotate(Requires, use)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Signature for mail to an address",
          description:
            "The most specific rule wins: the address, then its domain, then the longest wildcard, then the default " +
            "signature. 404 when nothing matches and there is no default."
        })
      ),
    HttpApiEndpoint.get("show", "/:id", {
      params,
      query: accountQuery,
      success: SignatureView,
      error: [NotFound, AccountNeeded]
    })
      .annotate(Requires, use)
      .annotateMerge(OpenApi.annotations({ summary: "One signature" })),
    HttpApiEndpoint.put("update", "/:id", {
      params,
      query: accountQuery,
      payload: SignatureChange,
      success: SignatureView,
      error: [NotFound, AccountNeeded, SignatureRuleTaken]
    })
      .annotate(Requires, use)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Change a signature",
          description: "At least one field is required; omitted fields keep their values. `rules` replaces all rules."
        })
      ),
    HttpApiEndpoint.delete("remove", "/:id", {
      params,
      query: accountQuery,
      success: HttpApiSchema.NoContent,
      error: [NotFound, AccountNeeded]
    })
      .annotate(Requires, use)
      .annotateMerge(OpenApi.annotations({ summary: "Delete a signature" }))
  )
  .middleware(Authentication)
  .prefix("/api/v1/mail/signatures")
