/** Writes an audit entry for the caller of the request or command. */
import type * as Audit from "#core/log/Audit.ts"
import { noteChange } from "#core/log/ChangeNote.ts"

export const note = (
  entity: "mail_domain" | "mail_account" | "mail_alias",
  row: { readonly id: number; readonly tenant_id: number },
  action: string,
  detail: Audit.Entry["detail"] = {}
) => noteChange(entity, row, action, detail)
