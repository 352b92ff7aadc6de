/** Helpers shared by the handlers of the feature. */
import { Effect } from "effect"
import { Caller, tenantOf } from "#core/auth/Caller.ts"
import * as CustomerTenants from "#core/customers/CustomerTenants.ts"
import { type FieldProblem, Forbidden, InvalidRequest } from "#core/http/Problem.ts"

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

/** Fails with 422 for these fields, if any. */
export const refuseFields = (errors: ReadonlyArray<FieldProblem>) =>
  errors.length === 0 ? Effect.void : Effect.fail(new InvalidRequest({ errors }))

/** Page of rows that were read with one row more than `limit`. `seq` of the last row is `before` of the next page. */
export const pagedBySeq = <A extends { readonly seq: number }, B>(
  rows: ReadonlyArray<A>,
  limit: number,
  view: (row: A) => B
) => ({ items: rows.slice(0, limit).map(view), next_before: rows.length > limit ? rows[limit - 1]!.seq : null })

/** Search text as a pattern of `ilike` that matches a part. */
export const partOf = (text: string): string => `%${text.replace(/[\\%_]/g, "\\$&")}%`
