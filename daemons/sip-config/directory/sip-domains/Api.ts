import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authentication } from "#core/auth/Authentication.ts"
import { Requires } from "#core/auth/Permissions.ts"
import { Id, inTenant, page, pageOf } from "#core/http/Paging.ts"
import { NotFound } from "#core/http/Problem.ts"
import { OwnershipView } from "#core/ownership/OwnershipView.ts"
import { DomainTaken } from "../Errors.ts"
import { SipDomain } from "../Shapes.ts"

export const SipDomainView = Schema.Struct({
  id: Schema.Int,
  tenant_id: Schema.Int,
  domain: Schema.String,
  /** The switch sees the domain once its ownership is proven. */
  ownership: OwnershipView,
  created_at: Schema.String
}).annotate({ identifier: "SipDomain" })

const params = { id: Id }
const manage = "sip.manage"

export const sipDomains = HttpApiGroup.make("sipDomains")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: { ...page(), ...inTenant, domain: Schema.optionalKey(SipDomain) },
      success: pageOf(SipDomainView)
    })
      .annotate(Requires, "sip.read")
      .annotateMerge(
        OpenApi.annotations({
          summary: "SIP domains, newest first",
          description:
            "The first extension, ring group, menu or voicemail box of a domain creates it, and the last one that is " +
            "deleted deletes it. Filter: `domain`."
        })
      ),
    HttpApiEndpoint.get("show", "/:id", { params, success: SipDomainView, error: NotFound })
      .annotate(Requires, "sip.read")
      .annotateMerge(
        OpenApi.annotations({
          summary: "One SIP domain",
          description: "The phones of a `pending` domain cannot register. Publish the TXT record of its challenge."
        })
      ),
    HttpApiEndpoint.post("checkOwnership", "/:id/ownership/check", {
      params,
      success: SipDomainView.pipe(HttpApiSchema.status(202)),
      error: NotFound
    })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Look for the TXT record of the challenge soon",
          description:
            "The answer does not wait for DNS. Without this call DNS is asked every minute in the first hour."
        })
      ),
    HttpApiEndpoint.post("assert", "/:id/assert", { params, success: SipDomainView, error: [NotFound, DomainTaken] })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Assert the ownership of a SIP domain",
          description:
            "For service tokens and users of the provider's tenant, who know by other means that the tenant owns the " +
            "domain. A repeated call changes nothing. 409 `domain_taken`: another tenant holds the domain."
        })
      )
  )
  .middleware(Authentication)
  .prefix("/api/v1/sip/domains")
