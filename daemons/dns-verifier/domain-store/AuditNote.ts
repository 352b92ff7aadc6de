/** Audit log lines for changes of domains and their DNS. Runs in the surrounding transaction. */
import { Effect } from "effect"
import * as Audit from "#core/log/Audit.ts"
import { client } from "#core/http/Client.ts"

/** Entity names in the audit log. */
export type Entity = "domain" | "dns_record" | "dns_provider" | "dns_plan"

/** Writes an audit log line with the caller of the request and its address. */
export const note = (
  entity: Entity,
  row: { readonly id: number | string; readonly tenant_id: number },
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

/** Returns old and new value of each given field that differs; undefined when none differs. Pure. */
export const differences = <A extends object>(before: A, after: A, fields: ReadonlyArray<keyof A & string>) => {
  const found = fields.filter((field) => before[field] !== after[field])
  return found.length === 0
    ? undefined
    : Object.fromEntries(found.map((field) => [field, { from: before[field], to: after[field] }]))
}
