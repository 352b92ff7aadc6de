import * as Api from "#core/http/Api.ts"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authentication } from "#core/auth/Authentication.ts"
import { Requires } from "#core/auth/Permissions.ts"
import { MailRecord, RecordStatus } from "#core/contracts/MailDomains.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import { BodyId, Id, page, pageOf } from "#core/http/Paging.ts"
import { NotFound } from "#core/http/Problem.ts"
import { NameReserved, TooManyClaims } from "#core/ownership/Errors.ts"
import { OwnershipView } from "#core/ownership/OwnershipView.ts"
import { DomainNotEmpty, DomainTaken, RotationUnderWay } from "./Errors.ts"
import { DomainName } from "./Shapes.ts"

export const DomainView = Schema.Struct({
  id: Schema.Int,
  tenant_id: Schema.Int,
  customer_id: Schema.Int,
  domain: Schema.String,
  /** The mail server serves the domain once its ownership is proven. */
  ownership: OwnershipView,
  /** Selector of the DKIM key that signs outgoing mail. */
  dkim_selector: Schema.String,
  dkim_keys: Schema.Array(
    Schema.Struct({ selector: Schema.String, state: Schema.Literals(["active", "next", "retired"]) })
  ),
  /** DNS records that the domain needs. */
  records: Schema.Array(
    Schema.Struct({
      ...MailRecord.fields,
      /** `unknown` until the record is checked. */
      status: RecordStatus,
      checked_at: Schema.NullOr(Schema.String)
    })
  ),
  /** Settings of the installation that some records wait for, such as SIGNALBOX_MAIL_HOST. Absent: none. */
  waiting_for: Schema.optionalKey(Schema.Array(Schema.String)),
  created_at: Schema.String,
  updated_at: Schema.String
}).annotate({ identifier: "MailDomain" })

const params = { id: Id }
const manage = "mail.manage"

export const NewDomain = Schema.Struct({
  domain: DomainName,
  /** Customer id in the caller's own system; not validated. */
  customer_id: BodyId,
  /** Owner of the domain, for service tokens only. Default: the provider's tenant. */
  tenant_id: Schema.optionalKey(BodyId)
})

/** Mail domains, the DNS records they need, and their DKIM keys. */
export const domains = HttpApiGroup.make("domains")
  .add(
    HttpApiEndpoint.get("list", "/", { query: page(), success: pageOf(DomainView) })
      .annotate(Requires, "mail.read")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Mail domains, newest first",
          description: "Domains of the caller's tenant; service tokens see the domains of all tenants."
        })
      ),
    HttpApiEndpoint.get("show", "/:id", { params, success: DomainView, error: NotFound })
      .annotate(Requires, "mail.read")
      .annotateMerge(OpenApi.annotations({ summary: "One mail domain" })),
    HttpApiEndpoint.post("create", "/", {
      headers: Idempotency.headers,
      payload: NewDomain,
      success: DomainView.pipe(HttpApiSchema.status(201)),
      error: [DomainTaken, NameReserved, TooManyClaims]
    })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Create a mail domain",
          description:
            "Also creates a DKIM key and lists the DNS records to publish. `name` is relative to the domain; TXT " +
            "contents are whole and unquoted. The domain is `pending` until the TXT record of its challenge is in " +
            "DNS, and has no mailboxes until then. Service tokens and users of the provider's tenant create proven " +
            "domains. 409 `domain_taken`: the tenant has the domain, or another tenant has proven it. 409 " +
            "`domain_reserved`: the name is the provider's own. A domain may be created before SIGNALBOX_MAIL_HOST " +
            "and SIGNALBOX_PLATFORM_IPV4 are set; `waiting_for` then names them, and the records that need them " +
            "follow once they are set."
        })
      ),
    HttpApiEndpoint.delete("remove", "/:id", {
      params,
      query: { force: Schema.optionalKey(Schema.Literals(["true", "false"])) },
      success: HttpApiSchema.NoContent,
      error: [NotFound, DomainNotEmpty]
    })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Delete a mail domain",
          description:
            "Also deletes the keys and aliases of the domain. `force=true` is required to delete its mailboxes as well."
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
          summary: "Assert the ownership of a mail domain",
          description:
            "For service tokens and users of the provider's tenant, who know by other means that the tenant owns the " +
            "domain. A repeated call changes nothing. 409 `domain_taken`: another tenant holds the domain."
        })
      ),
    HttpApiEndpoint.post("rotate", "/:id/dkim/rotate", {
      params,
      success: DomainView,
      error: [NotFound, RotationUnderWay]
    })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Create the next DKIM key",
          description:
            "Publish the record of the key and activate the key after the record has propagated. Deletes retired " +
            "keys and their records."
        })
      ),
    HttpApiEndpoint.post("activate", "/:id/dkim/:selector/activate", {
      params: { id: Id, selector: Schema.String.pipe(Schema.check(Schema.isPattern(/^mail\d{0,9}$/))) },
      success: DomainView,
      error: NotFound
    })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Sign with the next DKIM key",
          description:
            "The previous key retires; its record stays until the next rotation, for mail in transit. A repeated " +
            "call changes nothing."
        })
      )
  )
  .middleware(Authentication)
  .prefix("/api/v1/mail/domains")

/** Endpoints of mail domains. */
export const DomainsApi = Api.make("mail-domains").add(domains)
