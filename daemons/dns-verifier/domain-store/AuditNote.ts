/** Audit log lines for changes of domains and their DNS. Runs in the surrounding transaction. */
import type * as Audit from "#core/log/Audit.ts"
import { noteChange } from "#core/log/ChangeNote.ts"

/** Entity names in the audit log. */
export type Entity = "domain" | "dns_record" | "dns_provider" | "dns_plan"

/** Writes an audit log line with the caller of the request or command. */
export const note = (
  entity: Entity,
  row: { readonly id: number | string; readonly tenant_id: number },
  action: string,
  detail: Audit.Entry["detail"] = {}
) => noteChange(entity, row, action, detail)

/** Returns old and new value of each given field that differs; undefined when none differs. Pure. */
export const differences = <A extends object>(before: A, after: A, fields: ReadonlyArray<keyof A & string>) => {
  const found = fields.filter((field) => before[field] !== after[field])
  return found.length === 0
    ? undefined
    : Object.fromEntries(found.map((field) => [field, { from: before[field], to: after[field] }]))
}
