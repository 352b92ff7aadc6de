import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authentication } from "#core/auth/Authentication.ts"
import { Requires } from "#core/auth/Permissions.ts"
import { DomainView } from "../domain-store/DomainView.ts"
import * as Api from "#core/http/Api.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import { BodyId, Id, inTenant } from "#core/http/Paging.ts"
import { NotFound } from "#core/http/Problem.ts"
import { NameReserved, TooManyClaims } from "#core/ownership/Errors.ts"
import { DomainTaken, PlanUnderWay } from "../domain-store/Errors.ts"
import { DomainName, listOf, ofCustomer, skipping } from "../domain-store/FieldSchemas.ts"

/** Answer to the deletion of a domain. */
export const RemovedDomain = Schema.Struct({
  id: Schema.Int,
  name: Schema.String,
  /** Record sets that we wrote and that stay in the provider's zone. */
  left: Schema.Array(Schema.Struct({ type: Schema.String, name: Schema.String, contents: Schema.Array(Schema.String) }))
}).annotate({ identifier: "RemovedDomain" })

const params = { id: Id }
const manage = "domains.manage"

export const domains = HttpApiGroup.make("dnsDomains")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: { ...skipping, ...ofCustomer, ...inTenant },
      success: listOf(DomainView)
    })
      .annotate(Requires, "domains.read")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Domains, newest first",
          description: "Skips `skip` domains and returns at most `limit`; `next_skip` is null on the last page."
        })
      ),
    HttpApiEndpoint.post("create", "/", {
      headers: Idempotency.headers,
      payload: Schema.Struct({
        name: DomainName,
        /** The caller's own customer number; any number is accepted. */
        customer_id: BodyId,
        /** An account of the same customer. Without it, the provider is detected from the name servers. */
        dns_provider_id: Schema.optionalKey(Schema.NullOr(BodyId)),
        /** Tenant of the domain, for service tokens. Default: the provider's tenant. */
        tenant_id: Schema.optionalKey(BodyId)
      }),
      success: DomainView.pipe(HttpApiSchema.status(201)),
      error: [DomainTaken, NameReserved, TooManyClaims]
    })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Add a domain",
          description:
            "Asks the name servers of the domain for its DNS provider, for at most five seconds. If the customer has " +
            "an account at this provider, the domain is managed; otherwise dns-instructions lists the records to " +
            "write. A domain may be added before SIGNALBOX_PLATFORM_IPV4 is set; `waiting_for` then names the " +
            "variable. Several tenants may add a name. The domain is `pending` until the TXT record of its challenge " +
            "is in DNS, unless the provider adds it; its DNS is checked, but its zone is not written. 409 " +
            "`domain_taken`: the tenant has the domain, or another tenant has proven it. 409 `domain_reserved`: the " +
            "name is the provider's own."
        })
      ),
    HttpApiEndpoint.get("show", "/:id", { params, success: DomainView, error: NotFound })
      .annotate(Requires, "domains.read")
      .annotateMerge(OpenApi.annotations({ summary: "One domain" })),
    HttpApiEndpoint.put("update", "/:id", {
      params,
      payload: Schema.Struct({
        customer_id: Schema.optionalKey(BodyId),
        dns_provider_id: Schema.optionalKey(Schema.NullOr(BodyId))
      }),
      success: DomainView,
      error: [NotFound, PlanUnderWay]
    })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Change the customer or the DNS account of a domain",
          description:
            "Requires at least one field. `dns_provider_id` null: no account. The account must belong to the " +
            "domain's customer. Records that we wrote with the previous account stay in its zone."
        })
      ),
    HttpApiEndpoint.post("checkOwnership", "/:id/ownership/check", {
      params,
      success: DomainView.pipe(HttpApiSchema.status(202)),
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
    HttpApiEndpoint.post("assert", "/:id/assert", { params, success: DomainView, error: [NotFound, DomainTaken] })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Assert the ownership of a domain",
          description:
            "For service tokens and users of the provider's tenant, who know by other means that the tenant owns the " +
            "domain. A repeated call changes nothing. 409 `domain_taken`: another tenant holds the domain."
        })
      ),
    HttpApiEndpoint.delete("remove", "/:id", { params, success: RemovedDomain, error: [NotFound, PlanUnderWay] })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Delete a domain",
          description: "The zone stays unchanged; `left` lists the records that we wrote into it."
        })
      )
  )
  .middleware(Authentication)
  .prefix("/api/v1/domains")

export const DomainsApi = Api.make("domains").add(domains)
