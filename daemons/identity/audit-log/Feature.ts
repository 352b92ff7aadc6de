import { Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as Feature from "#core/daemon/Feature.ts"
import { AuditLogApi } from "./Api.ts"
import { auditLog as handlers } from "./Handlers.ts"

/** Lists the audit log. */
export const auditLog = Feature.make({
  api: AuditLogApi,
  layer: HttpApiBuilder.layer(AuditLogApi).pipe(Layer.provide(handlers))
})
