import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authentication } from "#core/auth/Authentication.ts"
import { Requires, UsersOnly } from "#core/auth/Permissions.ts"
import * as Api from "#core/http/Api.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import { page, pageOf, plainText } from "#core/http/Paging.ts"
import { NotFound } from "#core/http/Problem.ts"
import { SupportLimitReached } from "./Errors.ts"

/** How the user reaches support. */
export const SupportChannel = Schema.Literals(["web", "phone", "messenger"])

/** Longest message. Unit: UTF-16 code units. Reason: a sentence or two for the list. */
export const maxMessage = 300

/** A session as its user sees it. */
export const OwnSessionView = Schema.Struct({
  id: Schema.Int,
  /** Code that the user reads out: two groups of four digits, `1234-5678`. */
  session_code: Schema.String,
  channel: SupportChannel,
  message: Schema.NullOr(Schema.String),
  created_at: Schema.String,
  /** The code is valid until then. */
  expires_at: Schema.String
}).annotate({ identifier: "OwnSupportSession" })

export const SessionView = Schema.Struct({
  ...OwnSessionView.fields,
  tenant_id: Schema.Int,
  state: Schema.Literals(["open", "expired", "closed"]),
  /** The user who requested support. `name` and `email` are null while the daemon does not know the user. */
  user: Schema.Struct({ id: Schema.Int, name: Schema.NullOr(Schema.String), email: Schema.NullOr(Schema.String) }),
  closed_at: Schema.NullOr(Schema.String),
  /** `user:12`, `service:3`, `operator`, or `replaced` by a newer session of the user. */
  closed_by: Schema.NullOr(Schema.String)
}).annotate({ identifier: "SupportSession" })

export const SupportRequest = Schema.Struct({
  /** Default: `web`. */
  channel: Schema.optionalKey(SupportChannel),
  message: Schema.optionalKey(plainText(maxMessage))
}).annotate({ identifier: "SupportRequest" })

/** A code with or without separators. Other text is no code, so nothing has it. */
const params = { code: Schema.String.check(Schema.isPattern(/^(?:\s|-)*(?:[0-9](?:\s|-)*){8}$/)) }

const read = "customers.read"

const support = HttpApiGroup.make("support")
  .add(
    HttpApiEndpoint.post("create", "/", {
      headers: Idempotency.headers,
      payload: [SupportRequest, Schema.Null],
      success: OwnSessionView.pipe(HttpApiSchema.status(201)),
      error: SupportLimitReached
    })
      .annotate(UsersOnly, true)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Request support",
          description:
            "Creates a session with a code that the user reads out to support, and notifies the tenant's admins. The " +
            "code is valid for an hour; a new session replaces the user's open one. 429 `support_limit_reached`: " +
            "more than 5 sessions of the user, or 100 of the tenant, within an hour. For users only; no permission " +
            "is required.",
          override: { security: [{ user: [] }] }
        })
      ),
    HttpApiEndpoint.get("own", "/mine", { success: Schema.Struct({ session: Schema.NullOr(OwnSessionView) }) })
      .annotate(UsersOnly, true)
      .annotateMerge(
        OpenApi.annotations({ summary: "The caller's open session, or null", override: { security: [{ user: [] }] } })
      ),
    HttpApiEndpoint.delete("withdraw", "/mine", { success: HttpApiSchema.NoContent, error: NotFound })
      .annotate(UsersOnly, true)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Close the caller's open session",
          description: "404 when there is none.",
          override: { security: [{ user: [] }] }
        })
      ),
    HttpApiEndpoint.get("list", "/", {
      query: {
        ...page(),
        /** Default: `open`. */
        state: Schema.optionalKey(Schema.Literals(["open", "all"]))
      },
      success: pageOf(SessionView)
    })
      .annotate(Requires, read)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Support sessions, newest first",
          description: "Ended sessions are kept for 7 days."
        })
      ),
    HttpApiEndpoint.get("show", "/:code", { params, success: SessionView, error: NotFound })
      .annotate(Requires, read)
      .annotateMerge(
        OpenApi.annotations({
          summary: "The session with a code",
          description:
            "`state` is `expired` or `closed` when the code is no longer valid. Spaces and hyphens are ignored."
        })
      ),
    HttpApiEndpoint.post("close", "/:code/close", { params, success: SessionView, error: NotFound })
      .annotate(Requires, read)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Close a session",
          description: "Its code is then no longer valid. A session that has ended stays as it is."
        })
      )
  )
  .middleware(Authentication)
  .prefix("/api/v1/support/sessions")

export const SupportApi = Api.make("support").add(support)
