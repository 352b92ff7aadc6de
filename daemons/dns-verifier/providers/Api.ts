import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authentication } from "#core/auth/Authentication.ts"
import { Requires } from "#core/auth/Permissions.ts"
import * as Api from "#core/http/Api.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import { BodyId, Id, inTenant } from "#core/http/Paging.ts"
import { NotFound } from "#core/http/Problem.ts"
import { PlanUnderWay } from "../domain-store/Errors.ts"
import { providerTypes } from "../domain-store/ProviderTypes.ts"
import { Credential, listOf, ofCustomer, skipping, Title } from "../domain-store/FieldSchemas.ts"
import { NoAdapter, ProviderFailed, ProviderInUse } from "./Errors.ts"

export const ProviderType = Schema.Literals(providerTypes)

export const ProviderView = Schema.Struct({
  id: Schema.Int,
  tenant_id: Schema.Int,
  customer_id: Schema.Int,
  name: Schema.String,
  type: ProviderType,
  /** Credentials themselves are never shown. */
  has_credentials: Schema.Boolean,
  is_default: Schema.Boolean,
  /** Time of the last test; null: the current credentials were not tested. */
  tested_at: Schema.NullOr(Schema.String),
  /** Why the test failed; null: it succeeded, or there was none. */
  test_problem: Schema.NullOr(Schema.String),
  created_at: Schema.String,
  updated_at: Schema.String
}).annotate({ identifier: "DnsProvider" })

/** The type decides which fields are required: GET /api/v1/dns-providers/types. */
export const Credentials = Schema.Struct({
  api_token: Schema.optionalKey(Credential),
  prefix: Schema.optionalKey(Credential),
  secret: Schema.optionalKey(Credential),
  url: Schema.optionalKey(Credential),
  api_key: Schema.optionalKey(Credential),
  server_id: Schema.optionalKey(Credential)
}).annotate({ identifier: "DnsProviderCredentials" })

export const ProviderTypeView = Schema.Struct({
  type: ProviderType,
  /** Name of the provider. */
  title: Schema.String,
  /** Whether we can manage zones there. */
  has_adapter: Schema.Boolean,
  /** Fields of `credentials`. */
  credentials: Schema.Array(
    Schema.Struct({
      name: Schema.String,
      required: Schema.Boolean,
      /** Whether the input should be hidden while typing. */
      secret: Schema.Boolean,
      /** Where a user finds the value, in English. */
      doc: Schema.String
    })
  )
}).annotate({ identifier: "DnsProviderType" })

export const TestResult = Schema.Struct({
  ok: Schema.Boolean,
  /** Number of zones that the account can open; null when the test failed. */
  zones: Schema.NullOr(Schema.Int),
  /** As in `provider_failed`; null when the test succeeded. */
  reason: Schema.NullOr(Schema.String),
  problem: Schema.NullOr(Schema.String),
  tested_at: Schema.String
}).annotate({ identifier: "DnsProviderTest" })

export const ZoneView = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  /** Our domains in this zone. */
  domains: Schema.Array(Schema.Struct({ id: Schema.Int, name: Schema.String }))
}).annotate({ identifier: "DnsZone" })

export const NewProvider = Schema.Struct({
  customer_id: BodyId,
  name: Title,
  type: ProviderType,
  credentials: Schema.optionalKey(Schema.NullOr(Credentials)),
  is_default: Schema.optionalKey(Schema.Boolean),
  /** Tenant of the account, for service tokens. Default: the provider's tenant. */
  tenant_id: Schema.optionalKey(BodyId)
})

export const ProviderChange = Schema.Struct({
  name: Schema.optionalKey(Title),
  credentials: Schema.optionalKey(Schema.NullOr(Credentials)),
  is_default: Schema.optionalKey(Schema.Boolean)
})

const params = { id: Id }
const manage = "dns.manage"

export const providers = HttpApiGroup.make("providers")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: { ...skipping, ...ofCustomer, ...inTenant },
      success: listOf(ProviderView)
    })
      .annotate(Requires, "dns.read")
      .annotateMerge(OpenApi.annotations({ summary: "Accounts at DNS providers, newest first" })),
    HttpApiEndpoint.get("types", "/types", { success: Schema.Struct({ items: Schema.Array(ProviderTypeView) }) })
      .annotate(Requires, "dns.read")
      .annotateMerge(OpenApi.annotations({ summary: "Provider types and their credentials" })),
    HttpApiEndpoint.post("create", "/", {
      headers: Idempotency.headers,
      payload: NewProvider,
      success: ProviderView.pipe(HttpApiSchema.status(201))
    })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Add an account at a DNS provider",
          description:
            "A customer has one default account; a new default replaces the previous one. Credentials are stored in " +
            "envelopes and never returned. The Idempotency-Key comparison ignores credentials."
        })
      ),
    HttpApiEndpoint.get("show", "/:id", { params, success: ProviderView, error: NotFound })
      .annotate(Requires, "dns.read")
      .annotateMerge(OpenApi.annotations({ summary: "One account" })),
    HttpApiEndpoint.put("update", "/:id", {
      params,
      payload: ProviderChange,
      success: ProviderView,
      error: [NotFound, PlanUnderWay]
    })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Change an account",
          description:
            "Requires at least one field. `credentials` are replaced as a whole; null removes them. The type cannot " +
            "be changed."
        })
      ),
    HttpApiEndpoint.delete("remove", "/:id", {
      params,
      query: { force: Schema.optionalKey(Schema.Literals(["true", "false"])) },
      success: HttpApiSchema.NoContent,
      error: [NotFound, ProviderInUse, PlanUnderWay]
    })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Delete an account",
          description:
            "409 `in_use`: domains use the account; `force=true` leaves them without an account. Zones stay unchanged."
        })
      ),
    HttpApiEndpoint.post("test", "/:id/test", { params, success: TestResult, error: [NotFound, NoAdapter] })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Test an account",
          description: "Changes nothing at the provider. A failed test answers `ok` false with the reason."
        })
      ),
    HttpApiEndpoint.get("zones", "/:id/zones", {
      params,
      success: Schema.Struct({ items: Schema.Array(ZoneView) }),
      error: [NotFound, NoAdapter, ProviderFailed]
    })
      .annotate(Requires, "dns.read")
      .annotateMerge(OpenApi.annotations({ summary: "Zones that the provider lists for an account" }))
  )
  .middleware(Authentication)
  .prefix("/api/v1/dns-providers")

export const ProvidersApi = Api.make("providers").add(providers)
