/** Audit entries of runs, written in the transaction of the change. */
import { Effect, Option } from "effect"
import * as Audit from "#core/log/Audit.ts"
import { client } from "#core/http/Client.ts"
import type { Acknowledged } from "./AcknowledgeRun.ts"

const entity = "run"

/** Records that the caller of this request started a run. */
export const noteMade = Effect.fnUntraced(function* (
  run: { readonly id: string; readonly tenantId: number },
  detail: Readonly<Record<string, unknown>>
) {
  const { address } = yield* client
  yield* Audit.writeFor({ tenantId: run.tenantId, action: "run.started", entity, id: run.id, address, detail })
})

/** Records that the caller of this request acknowledged a run. A repeated acknowledgement is not recorded. */
export const noteAcknowledged = Effect.fnUntraced(function* (found: Option.Option<Acknowledged>) {
  if (Option.isNone(found) || !found.value.first) return
  const { address } = yield* client
  yield* Audit.writeFor({ ...acknowledged(found.value), address })
})

/** Actor of an acknowledgement by a link, whose user is not known. */
const byLink = "link"

/** Records an acknowledgement by a link in a message. */
export const noteAcknowledgedByLink = Effect.fnUntraced(function* (found: Option.Option<Acknowledged>) {
  if (Option.isNone(found) || !found.value.first) return
  const { address } = yield* client
  yield* Audit.write({ ...acknowledged(found.value), actor: byLink, address })
})

/** Records an acknowledgement by the operator of this machine. */
export const noteAcknowledgedByOperator = (found: Option.Option<Acknowledged>) =>
  Option.isNone(found) || !found.value.first
    ? Effect.void
    : Audit.write({ ...acknowledged(found.value), actor: Audit.operator })

const acknowledged = ({ id, suppressed, tenant_id }: Acknowledged) => ({
  tenantId: tenant_id,
  action: "run.acknowledged",
  entity,
  id,
  detail: { suppressed }
})
