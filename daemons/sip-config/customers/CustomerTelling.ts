/**
 * Announces a change of a customer: emits the event and writes the audit entry. Runs in the surrounding transaction.
 */
import { Effect } from "effect"
import * as Audit from "#core/log/Audit.ts"
import { CustomerChanged, CustomerCreated, CustomerDeleted } from "#core/contracts/Customers.ts"
import { Events } from "#core/events/Events.ts"

export interface Customer {
  readonly id: number
  readonly tenant_id: number
  /** Customer number, unique in the tenant. */
  readonly number: string
  readonly name: string
  /** BCP 47 tag. */
  readonly locale: string
  readonly email: string | null
  /** In E.164 format. */
  readonly phones: ReadonlyArray<string>
  readonly version: number
  readonly created_at: Date
  readonly updated_at: Date
}

/** Author of a change. An import uses it long after its request has ended. */
export interface Author {
  /** Name in the audit log. */
  readonly actor: string
  readonly address: string | undefined
}

const types = { created: CustomerCreated, changed: CustomerChanged, deleted: CustomerDeleted }

/** Source name in the events of this daemon. */
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
