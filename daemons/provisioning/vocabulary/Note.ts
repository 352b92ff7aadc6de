/** Audit entries with the caller and the address of the current request, in the surrounding transaction. */
import { Effect } from "effect"
import { client } from "#core/http/Client.ts"
import * as Audit from "#core/log/Audit.ts"

export const note = (
  tenantId: number,
  entity: string,
  id: string,
  action: string,
  detail: Audit.Entry["detail"] = {}
) =>
  Effect.flatMap(client, ({ address }) =>
    Audit.writeFor({ tenantId, action: `${entity}.${action}`, entity, id, address, detail })
  )
