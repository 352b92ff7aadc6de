/** What is told of a change of a customer: its event and its audit line. Runs in the surrounding transaction. */
import { Effect } from "effect"
import * as Audit from "#core/log/Audit.ts"
import { CustomerChanged, CustomerCreated, CustomerDeleted } from "#core/contracts/Customers.ts"
import { Events } from "#core/events/Events.ts"

export interface Customer {
  readonly id: number
  readonly tenant_id: number
  /** Customer number, unique in its tenant. */
  readonly number: string
  readonly name: string
  /** BCP 47. */
  readonly locale: string
  readonly email: string | null
  /** E.164. */
  readonly phones: ReadonlyArray<string>
  readonly version: number
  readonly created_at: Date
  readonly updated_at: Date
}

/** Who changes it, also where there is no request any more. */
export interface Author {
  /** As in the audit log. */
  readonly actor: string
  readonly address: string | undefined
}

const types = { created: CustomerCreated, changed: CustomerChanged, deleted: CustomerDeleted }

/** Source of our events. */
export const source = "sip-config"

export const tell = Effect.fnUntraced(function* (
  action: keyof typeof types,
  customer: Customer,
  detail: Audit.Entry["detail"],
  { actor, address }: Author
) {
  const { email, id, locale, name, number, phones, tenant_id: tenantId, version } = customer
  const state = action === "deleted" ? ("deleted" as const) : ("active" as const)
  yield* Effect.flatMap(Events, (events) =>
    events.emit(
      types[action],
      source,
      { customer_id: id, tenant_id: tenantId, number, name, locale, email, phones, state, version },
      { tenantId }
    )
  )
  yield* Audit.write({
    tenantId,
    actor,
    address,
    action: `customer.${action}`,
    entity: "customer",
    id: String(id),
    detail: detail ?? {}
  })
})
