/** Writes a change of signatures or contacts to the audit log, without their content. */
import type * as Audit from "#core/log/Audit.ts"
import { noteChange } from "#core/log/ChangeNote.ts"
import type { Account } from "../accounts/Exports.ts"

export const writeAudit = (
  entity: "mail_signature" | "mail_contact",
  id: number,
  account: Account,
  action: string,
  detail: Audit.Entry["detail"] = {}
) => noteChange(entity, { id, tenant_id: account.tenant_id }, action, { account: account.address, ...detail })
