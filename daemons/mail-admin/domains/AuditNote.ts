/** Writes an audit entry for the caller of the request, with the client address. */
import { Effect } from "effect"
import * as Audit from "#core/log/Audit.ts"
import { client } from "#core/http/Client.ts"

export const note = (
  entity: "mail_domain" | "mail_account" | "mail_alias",
  row: { readonly id: number; readonly tenant_id: number },
  action: string,
  detail: Audit.Entry["detail"] = {}
) =>
  Effect.flatMap(client, ({ address }) =>
    Audit.writeFor({
      tenantId: row.tenant_id,
      action: `${entity}.${action}`,
      entity,
      id: String(row.id),
      address,
      detail
    })
  )
