/**
 * Customer events for other daemons. Each event carries the whole state after the change, so a reader keeps the highest
 * `version` and does not depend on the order of events.
 */
import { Schema } from "effect"
import { define } from "../events/Events.ts"

export const Customer = Schema.Struct({
  customer_id: Schema.Int,
  tenant_id: Schema.Int,
  /** Customer number, unique in its tenant. */
  number: Schema.String,
  name: Schema.String,
  /** BCP 47: language for addressing the customer. */
  locale: Schema.String,
  email: Schema.NullOr(Schema.String),
  /** E.164. */
  phones: Schema.Array(Schema.String),
  state: Schema.Literals(["active", "deleted"]),
  /** Increases with every change. */
  version: Schema.Int
})
export type Customer = typeof Customer.Type

export const CustomerCreated = define("customer.created", Customer)
export const CustomerChanged = define("customer.changed", Customer)
export const CustomerDeleted = define("customer.deleted", Customer)

/** Matches all customer events, for readers that only need the current state. */
export const customerPattern = "customer.*"
