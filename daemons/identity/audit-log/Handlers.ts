import { Effect } from "effect"
import * as Handlers from "#core/http/Handlers.ts"
import { orUnavailable } from "#core/http/Problem.ts"
import { AuditLogApi } from "./Api.ts"
import type { EntryView } from "./Api.ts"
import { defaultPage, paged } from "#core/http/Paging.ts"
import { type AuditEntry, listAudit } from "./Store.ts"
import { inTenant } from "../users/Exports.ts"

const view = (entry: AuditEntry): typeof EntryView.Type => ({ ...entry, at: entry.at.toISOString() })

export const auditLog = Handlers.group(AuditLogApi, "audit", (handlers) =>
  handlers.handleAll({
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
)
