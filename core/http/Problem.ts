/**
 * Errors as RFC 9457 problem details. Every body carries `type`, `status`, `title` and a stable `code` that programs
 * may rely on; 422 names each bad field. This is the one place where a wrong request, an unknown path or a defect
 * becomes what the caller reads; nothing of the inside (stack, SQL, schema) gets out.
 */
import { Effect, Schema, SchemaIssue } from "effect"
import { type HttpServerError, HttpServerResponse, ProblemDetails } from "effect/http"
import { HttpApiError } from "effect/http-api"
import type { SqlError } from "effect/sql"
import type { NotFresh } from "../lane/Projection.ts"

/** The constant members of a problem: its type is `urn:signalbox:problem:<code>`. */
export const declaration = <const Code extends string, const Status extends number>(
  code: Code,
  status: Status,
  title: string
) => ({ type: `urn:signalbox:problem:${code}` as const, status, title })

/** The `code` member every problem has. */
export const codeField = <const Code extends string>(code: Code) => ({ code: Schema.tag(code) })

/**
 * One bad field of a request: where (`payload.email_subject`, `payload.channels[2].target`) and what is wrong with it,
 * in English; `code` where a program has its own words for that (`password_too_short`).
 */
export const FieldProblem = Schema.Struct({
  field: Schema.String,
  message: Schema.String,
  code: Schema.optionalKey(Schema.String)
})
export type FieldProblem = typeof FieldProblem.Type

/** 422: the request was understood and is wrong; `errors` names each field. */
export class InvalidRequest extends HttpApiError.Problem<InvalidRequest>()(
  "InvalidRequest",
  declaration("invalid_request", 422, "The request is not valid"),
  { ...codeField("invalid_request"), errors: Schema.Array(FieldProblem) }
) {}

/** 401: no credentials, or none that we accept. */
export class Unauthenticated extends HttpApiError.Problem<Unauthenticated>()(
  "Unauthenticated",
  declaration("unauthenticated", 401, "Sign in, or send a valid token"),
  codeField("unauthenticated")
) {}

/**
 * 403: signed in, but without the permission that `permission` names; or, without `permission`, the wrong kind of
 * caller.
 */
export class Forbidden extends HttpApiError.Problem<Forbidden>()(
  "Forbidden",
  declaration("forbidden", 403, "Not permitted"),
  { ...codeField("forbidden"), permission: Schema.optionalKey(Schema.String) }
) {}

/** 404: there is no such thing, or it is another tenant's. */
export class NotFound extends HttpApiError.Problem<NotFound>()(
  "NotFound",
  declaration("not_found", 404, "There is no such resource"),
  codeField("not_found")
) {}

/** 409: this installation lacks what was asked for; `settings` are the variables to set. */
export class NotConfigured extends HttpApiError.Problem<NotConfigured>()(
  "NotConfigured",
  declaration("not_configured", 409, "A setting is missing for this"),
  { ...codeField("not_configured"), settings: Schema.Array(Schema.String) }
) {}

/** 422: the same Idempotency-Key came before with another body. */
export class IdempotencyKeyReused extends HttpApiError.Problem<IdempotencyKeyReused>()(
  "IdempotencyKeyReused",
  declaration("idempotency_key_reused", 422, "This Idempotency-Key was used with another body"),
  codeField("idempotency_key_reused")
) {}

/** 503: the database does not answer; the same request may be sent again. */
export class Unavailable extends HttpApiError.Problem<Unavailable>()(
  "Unavailable",
  declaration("unavailable", 503, "Not available right now; try again"),
  codeField("unavailable")
) {}

/** What any endpoint behind the authentication middleware may answer besides its own errors. */
export const common = [InvalidRequest, Unauthenticated, Forbidden, Unavailable, IdempotencyKeyReused] as const

/**
 * A database failure while answering: the caller may try again. Constraint violations are ours to avoid, so they die.
 */
export const orUnavailable = <A, E, R>(
  effect: Effect.Effect<A, E | SqlError.SqlError | NotFresh, R>
): Effect.Effect<A, Exclude<E, SqlError.SqlError | NotFresh> | Unavailable, R> =>
  Effect.catchTag(effect as Effect.Effect<A, SqlError.SqlError | NotFresh, R>, ["SqlError", "NotFresh"], (error) =>
    Effect.andThen(
      Effect.logWarning(`database failure while answering: ${error.message}`),
      Effect.fail(new Unavailable({ detail: "The database does not answer." }))
    )
  ) as never

/**
 * Bare problems for what never reached an endpoint. Kept apart from the classes so that node listeners can use them.
 */
const bare = {
  400: ["bad_request", "The request cannot be read"],
  401: ["unauthenticated", "Sign in, or send a valid token"],
  403: ["forbidden", "Not permitted"],
  404: ["not_found", "There is no such resource"],
  405: ["method_not_allowed", "This method is not supported here"],
  408: ["request_timeout", "The request took too long to arrive"],
  413: ["payload_too_large", "The body is too large"],
  415: ["unsupported_media_type", "This content type is not supported here"],
  429: ["too_many_requests", "Too many requests; slow down"],
  431: ["headers_too_large", "The headers are too large"],
  500: ["internal_error", "Something broke on our side"],
  503: ["unavailable", "Not available right now; try again"]
} as const

export type BareStatus = keyof typeof bare

/** Bare problems whose code says more than their status. */
const special = { banned: [403, "banned", "This address is banned"] } as const

/** A status with its usual code, or the name of a special problem. */
export type Refusal = BareStatus | keyof typeof special

/** The problem body of a refusal, as a plain object. */
export const body = (refusal: Refusal, detail?: string) => {
  const [status, code, title] = typeof refusal === "string" ? special[refusal] : ([refusal, ...bare[refusal]] as const)
  return { type: `urn:signalbox:problem:${code}`, status, title, code, ...(detail === undefined ? {} : { detail }) }
}

export const contentType = ProblemDetails.contentType

/** The problem as a response. */
export const response = (status: BareStatus, detail?: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.jsonUnsafe(body(status, detail), { status, contentType })

/** Unit: field problems in one answer. Reason: a list of a hundred thousand wrong items must not come back as such. */
const maxFieldProblems = 50

const formatIssues = SchemaIssue.makeFormatterStandardSchemaV1()

/** What a request that its schema refused gets: 400 when it is not JSON at all, else 422 with each bad field. */
export const fromSchemaError = (
  error: HttpApiError.HttpApiSchemaError
): Effect.Effect<HttpServerResponse.HttpServerResponse> => {
  if (error.kind === "Body" || error.kind === "ResponseHeaders") {
    return Effect.as(Effect.logError("an answer did not fit its own schema", error.cause), response(500))
  }
  const errors = formatIssues(error.cause.issue)
    .issues.slice(0, maxFieldProblems)
    .map((issue) => ({
      field: [error.kind.toLowerCase(), ...(issue.path ?? []).map(segment)].join(""),
      message: issue.message
    }))
  if (errors.length === 1 && errors[0]!.message === "Expected a valid JSON body") {
    return Effect.succeed(response(400, "The body is not valid JSON."))
  }
  return Effect.succeed(
    HttpServerResponse.jsonUnsafe(
      { ...new InvalidRequest({ errors }), type: "urn:signalbox:problem:invalid_request" },
      { status: 422, contentType }
    )
  )
}

const segment = (part: PropertyKey | { readonly key: PropertyKey }): string => {
  const key = typeof part === "object" ? part.key : part
  return typeof key === "number" ? `[${key}]` : `.${String(key)}`
}

/** What a failure to read the request gets. */
export const fromServerError = (error: HttpServerError.HttpServerError): HttpServerResponse.HttpServerResponse => {
  const reason = error.reason
  if (reason._tag === "RouteNotFound") return response(404)
  if (reason._tag !== "RequestParseError") return response(500)
  const text = `${reason.description ?? ""} ${String(reason.cause ?? "")}`
  return /too large|exceed|maxbytes/i.test(text) ? response(413) : response(400)
}
