/**
 * Errors as RFC 9457 problem details. Every body has `type`, `status`, `title` and a stable `code` that programs may
 * rely on; 422 lists each invalid field. All invalid requests, unknown paths and defects become responses here.
 * Internal details (stack, SQL, schema) are never exposed.
 */
import { Effect, Schema, SchemaIssue } from "effect"
import { type HttpServerError, HttpServerResponse, ProblemDetails } from "effect/http"
import { HttpApiError } from "effect/http-api"
import type { SqlError } from "effect/sql"
import type { NotFresh } from "../lane/Projection.ts"

/** Constant members of a problem. Its type is `urn:signalbox:problem:<code>`. */
export const declaration = <const Code extends string, const Status extends number>(
  code: Code,
  status: Status,
  title: string
) => ({ type: `urn:signalbox:problem:${code}` as const, status, title })

/** The `code` member of every problem. */
export const codeField = <const Code extends string>(code: Code) => ({ code: Schema.tag(code) })

/**
 * An invalid field of a request: its path (`payload.email_subject`, `payload.channels[2].target`) and the fault in
 * English. `code` is set when programs need to tell faults apart (`password_too_short`).
 */
export const FieldProblem = Schema.Struct({
  field: Schema.String,
  message: Schema.String,
  code: Schema.optionalKey(Schema.String)
})
export type FieldProblem = typeof FieldProblem.Type

/** 422: the request is well-formed but invalid; `errors` lists each invalid field. */
export class InvalidRequest extends HttpApiError.Problem<InvalidRequest>()(
  "InvalidRequest",
  declaration("invalid_request", 422, "The request is invalid"),
  { ...codeField("invalid_request"), errors: Schema.Array(FieldProblem) }
) {}

/** 401: credentials are missing or invalid. */
export class Unauthenticated extends HttpApiError.Problem<Unauthenticated>()(
  "Unauthenticated",
  declaration("unauthenticated", 401, "Sign in, or send a valid token"),
  codeField("unauthenticated")
) {}

/**
 * 403: the caller lacks the permission named by `permission`; without `permission`, the caller is of the wrong kind.
 */
export class Forbidden extends HttpApiError.Problem<Forbidden>()(
  "Forbidden",
  declaration("forbidden", 403, "Not permitted"),
  { ...codeField("forbidden"), permission: Schema.optionalKey(Schema.String) }
) {}

/** 404: the resource does not exist, or belongs to another tenant. */
export class NotFound extends HttpApiError.Problem<NotFound>()(
  "NotFound",
  declaration("not_found", 404, "The resource does not exist"),
  codeField("not_found")
) {}

/** 409: the installation lacks a configuration; `settings` names the variables to set. */
export class NotConfigured extends HttpApiError.Problem<NotConfigured>()(
  "NotConfigured",
  declaration("not_configured", 409, "A required setting is missing"),
  { ...codeField("not_configured"), settings: Schema.Array(Schema.String) }
) {}

/** 422: the Idempotency-Key was already used with a different body. */
export class IdempotencyKeyReused extends HttpApiError.Problem<IdempotencyKeyReused>()(
  "IdempotencyKeyReused",
  declaration("idempotency_key_reused", 422, "The Idempotency-Key was used with a different body"),
  codeField("idempotency_key_reused")
) {}

/** 503: the database does not answer; the request may be retried. */
export class Unavailable extends HttpApiError.Problem<Unavailable>()(
  "Unavailable",
  declaration("unavailable", 503, "Temporarily unavailable; try again later"),
  codeField("unavailable")
) {}

/** Errors that any endpoint behind the authentication middleware may return, besides its own. */
export const common = [InvalidRequest, Unauthenticated, Forbidden, Unavailable, IdempotencyKeyReused] as const

/**
 * Turns a database failure into `Unavailable`, so that the caller may retry. A constraint violation is a defect in our
 * code, so it dies.
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

/** Problems of requests that reach no endpoint. Separate from the classes, so that node listeners can use them. */
const bare = {
  400: ["bad_request", "The request cannot be read"],
  401: ["unauthenticated", "Sign in, or send a valid token"],
  403: ["forbidden", "Not permitted"],
  404: ["not_found", "The resource does not exist"],
  405: ["method_not_allowed", "This method is not supported here"],
  408: ["request_timeout", "The request took too long to arrive"],
  413: ["payload_too_large", "The body is too large"],
  415: ["unsupported_media_type", "This content type is not supported here"],
  429: ["too_many_requests", "Too many requests; try again later"],
  431: ["headers_too_large", "The headers are too large"],
  500: ["internal_error", "Internal server error"],
  503: ["unavailable", "Temporarily unavailable; try again later"]
} as const

export type BareStatus = keyof typeof bare

/** Problems whose code is more specific than their status. */
const special = { banned: [403, "banned", "This address is banned"] } as const

/** A status with its usual code, or the name of a special problem. */
export type Refusal = BareStatus | keyof typeof special

/** The problem body as a plain object. */
export const body = (refusal: Refusal, detail?: string) => {
  const [status, code, title] = typeof refusal === "string" ? special[refusal] : ([refusal, ...bare[refusal]] as const)
  return { type: `urn:signalbox:problem:${code}`, status, title, code, ...(detail === undefined ? {} : { detail }) }
}

export const contentType = ProblemDetails.contentType

/** The problem as an HTTP response. */
export const response = (status: BareStatus, detail?: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.jsonUnsafe(body(status, detail), { status, contentType })

/**
 * Maximum number of field problems in one response. Reason: a list of a hundred thousand invalid items must not produce
 * a response of that size.
 */
const maxFieldProblems = 50

const formatIssues = SchemaIssue.makeFormatterStandardSchemaV1()

/** Each invalid field of a value that does not match its schema. `at`: place of the value in the request. */
export const fieldProblems = (
  at: string,
  issue: SchemaIssue.Issue
): ReadonlyArray<{ readonly field: string; readonly message: string }> =>
  formatIssues(issue)
    .issues.slice(0, maxFieldProblems)
    .map(({ message, path = [] }) => {
      const names = path.map(segment)
      if (message === unknownField && !showable.test(names.at(-1)!.slice(1))) names.splice(-1, 1, ".(an unknown field)")
      return { field: [at, ...names].join(""), message }
    })

/**
 * Response for a request that does not match its schema: 404 for an impossible id in the path, because nothing has it;
 * 400 for a body that is not JSON, else 422 with each invalid field.
 */
export const fromSchemaError = (
  error: HttpApiError.HttpApiSchemaError
): Effect.Effect<HttpServerResponse.HttpServerResponse> => {
  if (error.kind === "Body" || error.kind === "ResponseHeaders") {
    return Effect.as(Effect.logError("an answer does not match its schema", error.cause), response(500))
  }
  if (error.kind === "Params") return Effect.succeed(response(404))
  const errors = fieldProblems(error.kind.toLowerCase(), error.cause.issue)
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

/** Names of unknown fields that are shown. Reason: a broken client may send a secret as a name. */
const showable = /^[a-z_-]{1,40}$|^[a-z]+([_-]?\d{1,3}|[A-Z][a-z]+)*$/

/** Message of the schema library for an unknown field. */
const unknownField = "Expected no excess property"

const segment = (part: PropertyKey | { readonly key: PropertyKey }): string => {
  const key = typeof part === "object" ? part.key : part
  return typeof key === "number" ? `[${key}]` : `.${String(key)}`
}

/** Response for a request that could not be read. */
export const fromServerError = (error: HttpServerError.HttpServerError): HttpServerResponse.HttpServerResponse => {
  const reason = error.reason
  if (reason._tag === "RouteNotFound") return response(404)
  if (reason._tag !== "RequestParseError") return response(500)
  const text = `${reason.description ?? ""} ${String(reason.cause ?? "")}`
  return /too large|exceed|maxbytes/i.test(text) ? response(413) : response(400)
}
