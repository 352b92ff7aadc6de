/** Writes a change of signatures or contacts to the audit log, without their content. */
import { Effect } from "effect"
import * as Audit from "#core/log/Audit.ts"
import { client } from "#core/http/Client.ts"
import type { Account } from "../accounts/Exports.ts"

export const writeAudit = (
  entity: "mail_signature" | "mail_contact",
  id: number,
  account: Account,
  action: string,
  detail: Audit.Entry["detail"] = {}
) =>
  Effect.flatMap(client, ({ address }) =>
    Audit.writeFor({
      tenantId: account.tenant_id,
      action: `${entity}.${action}`,
      entity,
      id: String(id),
      address,
      detail: { account: account.address, ...detail }
    })
  )
