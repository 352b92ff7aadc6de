/** What all changes of domains and their DNS have in common. Everything here runs in the surrounding transaction. */
import { Effect } from "effect"
import * as Audit from "#core/log/Audit.ts"
import { client } from "#core/http/Client.ts"

/** Kinds of things, as the audit log names them. */
export type Entity = "domain" | "dns_record" | "dns_provider" | "dns_plan"

/** What the caller of the request did, into the audit log, from where. */
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

/** Which of these fields are others in `after`, with both values; undefined when none is. Pure. */
export const differences = <A extends object>(before: A, after: A, fields: ReadonlyArray<keyof A & string>) => {
  const found = fields.filter((field) => before[field] !== after[field])
  return found.length === 0
    ? undefined
    : Object.fromEntries(found.map((field) => [field, { from: before[field], to: after[field] }]))
}
