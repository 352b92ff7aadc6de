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
  /** Position of the call in the list; the query parameter `before` refers to it. */
  id: Schema.Int,
  /** UUID of the call at the switch; the `call.*` events carry the same ID. */
  call_id: Schema.String,
  tenant_id: Schema.Int,
  direction: Direction,
  /**
   * Caller: E.164, the number as the line shows it, or `anonymous`. The extension when one of the tenant's phones
   * calls.
   */
  caller_id: Schema.String,
  /** Dialled number of the tenant (DID); set on inbound calls only. */
  did_number: Schema.NullOr(Schema.String),
  /** Dialled number; set on outbound and internal calls only. */
  destination: Schema.NullOr(Schema.String),
  /** Extension whose phone took the call, if known. */
  extension: Schema.NullOr(Schema.String),
  /** Customer who called; null when no customer has the number, or when the customer was deleted. */
  customer: Schema.NullOr(Schema.Struct({ id: Schema.Int, number: Schema.String, name: Schema.String })),
  state: Schema.Literals(["ringing", "answered", "ended"]),
  started_at: Schema.String,
  answered_at: Schema.NullOr(Schema.String),
  ended_at: Schema.NullOr(Schema.String),
  /** Time from answer to end. Unit: seconds. 0: never answered. Null: not ended. */
  duration: Schema.NullOr(Schema.Int),
  /**
   * Hangup cause as the switch names it. `LOST`: the call disappeared from the switch and its end was never reported.
   */
  cause: Schema.NullOr(Schema.String)
}).annotate({ identifier: "Call" })

/** Largest position accepted by `before`. The column is a bigint, but stays far below the largest safe integer. */
const largest = Number.MAX_SAFE_INTEGER

/** Telephone number in any spelling, or an extension. */
const NumberPart = Schema.String.pipe(
  Schema.check(Schema.isMaxLength(maxSpelling), Schema.isPattern(/^\+?[\d\s()/.-]*\d[\d\s()/.-]*$/))
)

const CallId = Schema.String.pipe(Schema.check(Schema.isPattern(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i)))

const read = "sip.read"

/** Endpoints of past and current telephone calls. */
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
            "`since` and `until` limit the start of the calls; `until` is exclusive. `number` matches caller or " +
            "destination: an extension exactly, a telephone number in any spelling by its last ten digits."
        })
      ),
    HttpApiEndpoint.get("show", "/:id", { params: { id: CallId }, success: CallView, error: NotFound })
      .annotate(Requires, read)
      .annotateMerge(OpenApi.annotations({ summary: "One call, by its call_id" }))
  )
  .middleware(Authentication)
  .prefix("/api/v1/sip/calls")

/** API definition of the feature. */
export const CallsApi = Api.make("calls").add(calls)
