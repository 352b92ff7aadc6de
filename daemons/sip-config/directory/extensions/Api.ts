import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authentication } from "#core/auth/Authentication.ts"
import { Requires } from "#core/auth/Permissions.ts"
import { ClaimState } from "#core/contracts/NameClaims.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import { BodyId, Id, inTenant, page, pageOf } from "#core/http/Paging.ts"
import { NotFound } from "#core/http/Problem.ts"
import { domainRefusals, InUse, NumberTaken } from "../Errors.ts"
import { InternalNumber, Name, ofTenant, Password, SipDomain } from "../Shapes.ts"

export const ExtensionView = Schema.Struct({
  id: Schema.Int,
  tenant_id: Schema.Int,
  /** Number of the extension; letters are in lower case. */
  extension: Schema.String,
  name: Schema.String,
  /** SIP domain. */
  domain: Schema.String,
  /** `pending`: the switch does not see the domain before its ownership is proven; see `GET /api/v1/sip/domains`. */
  domain_state: ClaimState,
  user_id: Schema.NullOr(Schema.Int),
  enabled: Schema.Boolean,
  /** Kind of the number by the number plan. */
  kind: Schema.Literals(["employee", "line", "short", "webrtc", "test", "other"]),
  /** Conflicts with the number plan, as full sentences. */
  warnings: Schema.Array(Schema.String),
  created_at: Schema.String,
  updated_at: Schema.String
}).annotate({ identifier: "SipExtension" })

/** Settings of a phone for one extension. */
export const PhoneConfigView = Schema.Struct({
  extension_id: Schema.Int,
  extension: Schema.String,
  display_name: Schema.String,
  enabled: Schema.Boolean,
  /** SIP domain; also the digest realm. */
  domain: Schema.String,
  realm: Schema.String,
  username: Schema.String,
  password: Schema.String,
  /** Ways to reach the switch. */
  transports: Schema.Array(
    Schema.Struct({
      transport: Schema.Literals(["udp", "tls", "wss"]),
      host: Schema.String,
      port: Schema.Int,
      srtp: Schema.Literals(["off", "optional", "mandatory"])
    })
  ),
  /** SIP over WebSocket: at the switch's own port, and at port 443 through the proxy. */
  wss_url: Schema.String,
  wss_url_443: Schema.String,
  /** Codecs in order of preference. */
  codecs: Schema.Array(Schema.String),
  /** Longest gathering of ICE candidates. Unit: seconds. */
  ice_gathering_timeout: Schema.Int,
  /** Always empty: the switch has a public address. */
  stun_servers: Schema.Array(Schema.String)
}).annotate({ identifier: "SipPhoneConfig" })

const params = { id: Id }
const manage = "sip.manage"
const about = { extension: InternalNumber, name: Name, domain: SipDomain }
const more = {
  user_id: Schema.optionalKey(Schema.NullOr(BodyId)),
  password: Schema.optionalKey(Password),
  enabled: Schema.optionalKey(Schema.Boolean)
}

export const NewExtension = Schema.Struct({ ...about, ...more, ...ofTenant })

export const ExtensionChange = Schema.Struct({
  extension: Schema.optionalKey(about.extension),
  name: Schema.optionalKey(about.name),
  domain: Schema.optionalKey(about.domain),
  ...more
})

export const extensions = HttpApiGroup.make("extensions")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: {
        ...page(),
        ...inTenant,
        domain: Schema.optionalKey(SipDomain),
        user_id: Schema.optionalKey(Id),
        number: Schema.optionalKey(InternalNumber)
      },
      success: pageOf(ExtensionView)
    })
      .annotate(Requires, "sip.read")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Extensions, newest first",
          description: "Filters: `number`, `domain`, `user_id`."
        })
      ),
    HttpApiEndpoint.post("create", "/", {
      headers: Idempotency.headers,
      payload: NewExtension,
      success: ExtensionView.pipe(HttpApiSchema.status(201)),
      error: [...domainRefusals, NumberTaken]
    })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Create an extension",
          description:
            "The daemon generates the password; only `GET …/config` shows it. Holders of `sip.credentials.write` " +
            "and service tokens may send a password instead. The first extension of a SIP domain creates the " +
            "domain, which is `pending` until its ownership is proven, unless the provider creates it. 409 " +
            "`domain_taken`: another tenant holds the domain. 409 `domain_reserved`: it is the provider's own. " +
            "409 `number_taken`: an extension or ring group of the domain has the number. Conflicts with the number " +
            "plan cause warnings, never errors. The Idempotency-Key check ignores the password."
        })
      ),
    HttpApiEndpoint.get("show", "/:id", { params, success: ExtensionView, error: NotFound })
      .annotate(Requires, "sip.read")
      .annotateMerge(OpenApi.annotations({ summary: "One extension" })),
    HttpApiEndpoint.put("update", "/:id", {
      params,
      payload: ExtensionChange,
      success: ExtensionView,
      error: [NotFound, ...domainRefusals, NumberTaken, InUse]
    })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Change an extension",
          description:
            "At least one field is required; omitted fields keep their values. 409 `in_use`: number and domain " +
            "cannot change while a ring group contains the extension. A new `user_id` causes a new password, " +
            "because the previous user could see the old one; the password stays when the extension had no user and " +
            "the caller holds `sip.credentials.read`."
        })
      ),
    HttpApiEndpoint.delete("remove", "/:id", { params, success: HttpApiSchema.NoContent, error: [NotFound, InUse] })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Delete an extension",
          description: "409 `in_use` while a DID, a ring group, a menu or a line uses it."
        })
      ),
    HttpApiEndpoint.post("rotate", "/:id/password", { params, success: ExtensionView, error: NotFound })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Give an extension a new password",
          description:
            "The daemon generates the password; `GET …/config` shows it. Phones with the old password are rejected " +
            "at once."
        })
      ),
    HttpApiEndpoint.get("config", "/:id/config", { params, success: PhoneConfigView, error: NotFound })
      .annotate(Requires, "sip.credentials.read")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Phone settings of the extension, including the password",
          description: "Each request is written to the audit log."
        })
      )
  )
  .middleware(Authentication)
  .prefix("/api/v1/sip/extensions")
