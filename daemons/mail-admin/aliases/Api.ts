import * as Api from "#core/http/Api.ts"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authentication } from "#core/auth/Authentication.ts"
import { Requires } from "#core/auth/Permissions.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import { Id, page, pageOf } from "#core/http/Paging.ts"
import { NotFound } from "#core/http/Problem.ts"
import { DomainPending } from "#core/ownership/Errors.ts"
import { AddressTaken, AliasLoop, Destination, LocalPart } from "../domains/Exports.ts"

export const AliasView = Schema.Struct({
  id: Schema.Int,
  tenant_id: Schema.Int,
  domain_id: Schema.Int,
  /** Local part of the alias address. */
  source: Schema.String,
  /** Full destination address. */
  destination: Schema.String,
  created_at: Schema.String
}).annotate({ identifier: "MailAlias" })

const params = { id: Id }
const manage = "mail.manage"

export const NewAlias = Schema.Struct({ source: LocalPart, destination: Destination })

/** Aliases of a domain. */
export const domainAliases = HttpApiGroup.make("domainAliases")
  .add(
    HttpApiEndpoint.get("list", "/", { params, query: page(), success: pageOf(AliasView), error: NotFound })
      .annotate(Requires, "mail.read")
      .annotateMerge(OpenApi.annotations({ summary: "Aliases of a domain, newest first" })),
    HttpApiEndpoint.post("create", "/", {
      params,
      headers: Idempotency.headers,
      payload: NewAlias,
      success: AliasView.pipe(HttpApiSchema.status(201)),
      error: [NotFound, AddressTaken, AliasLoop, DomainPending]
    })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Create an alias",
          description:
            "A source may have several destinations, one alias each. 409 `address_taken`: a mailbox has the address, " +
            "or the same alias exists. 409 `alias_loop`: the alias leads back to itself through the tenant's aliases."
        })
      )
  )
  .middleware(Authentication)
  .prefix("/api/v1/mail/domains/:id/aliases")

/** Aliases by id. */
export const aliases = HttpApiGroup.make("aliases")
  .add(
    HttpApiEndpoint.get("show", "/:id", { params, success: AliasView, error: NotFound })
      .annotate(Requires, "mail.read")
      .annotateMerge(OpenApi.annotations({ summary: "One alias" })),
    HttpApiEndpoint.delete("remove", "/:id", { params, success: HttpApiSchema.NoContent, error: NotFound })
      .annotate(Requires, manage)
      .annotateMerge(OpenApi.annotations({ summary: "Delete an alias" }))
  )
  .middleware(Authentication)
  .prefix("/api/v1/mail/aliases")

/** Endpoints of aliases. */
export const AliasesApi = Api.make("aliases").add(domainAliases).add(aliases)
