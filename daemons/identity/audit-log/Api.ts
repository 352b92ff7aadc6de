import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import * as Api from "#core/http/Api.ts"
import { Authentication } from "#core/auth/Authentication.ts"
import { Requires } from "#core/auth/Permissions.ts"
import { inTenant, page, pageOf, plainText } from "#core/http/Paging.ts"
import { Time } from "#core/http/Time.ts"

/** Longest actor, action, entity type and id in a query. Unit: characters. Reason: the longest stored ones have 60. */
const maxWord = 200

export const EntryView = Schema.Struct({
  id: Schema.Number,
  tenant_id: Schema.Int,
  at: Schema.String,
  /** `user:12`, `service:3`, `operator` (command line of this machine), `system`, or `nobody` for a refused sign-in. */
  actor: Schema.String,
  /** `user.created`, `refused.password`. */
  action: Schema.String,
  entity_type: Schema.String,
  entity_id: Schema.String,
  /** Client address of the request. */
  address: Schema.NullOr(Schema.String),
  detail: Schema.Record(Schema.String, Schema.Unknown)
}).annotate({ identifier: "AuditEntry" })

/** The audit log: who changed what, and when. */
export const auditLog = HttpApiGroup.make("audit")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: {
        ...page(Number.MAX_SAFE_INTEGER),
        ...inTenant,
        /** An action, or a group of actions: `user.*`. */
        action: Schema.optionalKey(plainText(maxWord)),
        actor: Schema.optionalKey(plainText(maxWord)),
        entity_type: Schema.optionalKey(plainText(maxWord)),
        entity_id: Schema.optionalKey(plainText(maxWord)),
        since: Schema.optionalKey(Time),
        until: Schema.optionalKey(Time)
      },
      success: pageOf(EntryView)
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Audit log, newest first",
        description:
          "Changes and refused sign-ins of the caller's tenant; service tokens see the entries of all tenants. " +
          "Service tokens and the provider's admins may select a tenant with `tenant_id`. `since` is inclusive, " +
          "`until` is exclusive. Entries are kept for 400 days."
      })
    )
  )
  .middleware(Authentication)
  .prefix("/api/v1/audit")
  .annotate(Requires, "audit.read")

export const AuditLogApi = Api.make("audit-log").add(auditLog)
