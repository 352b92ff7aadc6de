/** Helpers of the request handlers. */
import { Effect } from "effect"
import * as CustomerTenants from "#core/customers/CustomerTenants.ts"
import { InvalidRequest } from "#core/http/Problem.ts"

/** Tenant of a new row of this customer. */
export const ownerOf = (named: number | undefined, customerId: number) =>
  CustomerTenants.ownerOf("dns_verifier", named, customerId)

/** Fails with 422 when the body has no field to change. */
export const notEmpty = (payload: object) =>
  Object.keys(payload).length === 0 ? Effect.fail(invalid("payload", "must have at least one field")) : Effect.void

export const iso = (at: Date | null): string | null => (at === null ? null : at.toISOString())

/** A 422 for one field, for rules that no schema can check. */
export const invalid = (field: string, message: string) => new InvalidRequest({ errors: [{ field, message }] })
