import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Database } from "#core/sql/Database.ts"
import { orUnavailable } from "#core/http/Problem.ts"
import { IdentityApi } from "../Api.ts"
import type { EntryView } from "./Api.ts"
import { defaultPage, paged } from "#core/http/Paging.ts"
import { type AuditEntry, listAudit } from "./Store.ts"
import { inTenant } from "../users/TenantScope.ts"

const view = (entry: AuditEntry): typeof EntryView.Type => ({ ...entry, at: entry.at.toISOString() })

export const auditLog = HttpApiBuilder.group(
  IdentityApi,
  "audit",
  Effect.fn(function* (handlers) {
    yield* Database
    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query: { limit = defaultPage, since, tenant_id, until, ...filter } }) {
        const times = {
          ...(since === undefined ? {} : { since: new Date(since) }),
          ...(until === undefined ? {} : { until: new Date(until) })
        }
        return paged(
          (yield* orUnavailable(inTenant(tenant_id, listAudit({ ...filter, ...times }, limit + 1)))).map(view),
          limit
        )
      })
    })
  })
)
