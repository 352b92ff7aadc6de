import * as Api from "#core/http/Api.ts"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authentication } from "#core/auth/Authentication.ts"
import { Requires } from "#core/auth/Permissions.ts"
import { inTenant, page, pageOf } from "#core/http/Paging.ts"
import { NotFound } from "#core/http/Problem.ts"
import { Time } from "#core/http/Time.ts"
import { maxSpelling } from "../directory/Exports.ts"

export const Direction = Schema.Literals(["inbound", "outbound", "internal"])

export const CallView = Schema.Struct({
  /** Place in the list; `before` counts by it. */
  id: Schema.Int,
  /** As in `call.*` events. */
  call_id: Schema.String,
  tenant_id: Schema.Int,
  direction: Direction,
  /** E.164, or as the line shows it, or `anonymous`; of a call from a phone of the tenant's, its extension. */
  caller_id: Schema.String,
  /** Of an inbound call: the number of the tenant's that was called. */
  did_number: Schema.NullOr(Schema.String),
  /** Of another call: what was called. */
  destination: Schema.NullOr(Schema.String),
  /** Whose phone took it, if that is known. */
  extension: Schema.NullOr(Schema.String),
  /** Null: nobody we know, or deleted since. */
  customer: Schema.NullOr(Schema.Struct({ id: Schema.Int, number: Schema.String, name: Schema.String })),
  state: Schema.Literals(["ringing", "answered", "ended"]),
  started_at: Schema.String,
  answered_at: Schema.NullOr(Schema.String),
  ended_at: Schema.NullOr(Schema.String),
  /** From answer to end. Unit: seconds. */
  duration: Schema.NullOr(Schema.Int),
  /** As the switch says; `LOST`: it forgot the call while nobody listened. */
  cause: Schema.NullOr(Schema.String)
}).annotate({ identifier: "Call" })

/** The list counts by a bigint of which far less than this is ever used. */
const largest = Number.MAX_SAFE_INTEGER

/** A part of a number: digits, as the caller wrote them or as we do. */
const NumberPart = Schema.String.pipe(
  Schema.check(Schema.isMaxLength(maxSpelling), Schema.isPattern(/^\+?[\d\s()/.-]*\d[\d\s()/.-]*$/))
)

const CallId = Schema.String.pipe(Schema.check(Schema.isPattern(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i)))

const read = "sip.read"

/** Telephone calls that came and went. */
export const calls = HttpApiGroup.make("calls")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: {
        ...page(largest),
        ...inTenant,
        direction: Schema.optionalKey(Direction),
        since: Schema.optionalKey(Time),
        until: Schema.optionalKey(Time),
        number: Schema.optionalKey(NumberPart)
      },
      success: pageOf(CallView)
    })
      .annotate(Requires, read)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Calls, newest first",
          description:
            "`since` and `until`: when they began, the latter excluded. `number`: of either side; in any spelling, by its last ten digits, or exactly an extension."
        })
      ),
    HttpApiEndpoint.get("show", "/:id", { params: { id: CallId }, success: CallView, error: NotFound })
      .annotate(Requires, read)
      .annotateMerge(OpenApi.annotations({ summary: "One call, by its call_id" }))
  )
  .middleware(Authentication)
  .prefix("/api/v1/sip/calls")

/** Endpoints of calls. */
export const CallsApi = Api.make("calls").add(calls)
