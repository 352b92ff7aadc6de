/** Helpers shared by the handlers of the feature. */
import { Effect } from "effect"
import { Caller, tenantOf } from "#core/auth/Caller.ts"
import * as CustomerTenants from "#core/customers/CustomerTenants.ts"
import { Forbidden } from "#core/http/Problem.ts"

/**
 * Tenant of a new row: of a user the own tenant; of a platform caller the customer's, else the named one, else the
 * provider's.
 */
export const ownerOf = Effect.fnUntraced(function* (named: number | undefined, customerId: number | null | undefined) {
  if (customerId !== null && customerId !== undefined)
    return yield* CustomerTenants.ownerOf("bank_fetcher", named, customerId, "customer")
  const caller = yield* Caller
  const tenantId = named ?? tenantOf(caller)
  if (caller.kind === "user" && caller.tenantId !== tenantId)
    return yield* new Forbidden({ detail: "Only service tokens may name another tenant." })
  return tenantId
})

/** Refuses a customer that is known to belong to another tenant. In the surrounding transaction. */
export const sameTenant = (tenantId: number, customerId: number | null) =>
  customerId === null ? Effect.void : CustomerTenants.sameTenant("bank_fetcher", tenantId, customerId, "customer")
