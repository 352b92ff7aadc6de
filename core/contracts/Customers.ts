/**
 * Customers as other daemons need to know them. Each event carries the whole state after the change, so that a reader
 * keeps the newest by `version` and needs no order.
 */
import { Schema } from "effect"
import { define } from "../events/Events.ts"

export const Customer = Schema.Struct({
  customer_id: Schema.Int,
  tenant_id: Schema.Int,
  /** Customer number, unique in its tenant. */
  number: Schema.String,
  name: Schema.String,
  /** BCP 47: the language they are spoken to in. */
  locale: Schema.String,
  email: Schema.NullOr(Schema.String),
  /** E.164. */
  phones: Schema.Array(Schema.String),
  state: Schema.Literals(["active", "deleted"]),
  /** Grows with every change. */
  version: Schema.Int
})
export type Customer = typeof Customer.Type

export const CustomerCreated = define("customer.created", Customer)
export const CustomerChanged = define("customer.changed", Customer)
export const CustomerDeleted = define("customer.deleted", Customer)

/** All of them, for those who only want the state. */
export const customerPattern = "customer.*"
