/** Helpers of the request handlers. */
import { Effect } from "effect"
import { Caller, tenantOf } from "#core/auth/Caller.ts"
import { Forbidden, InvalidRequest } from "#core/http/Problem.ts"

/** Tenant of a new row: the caller's, or the one that a service token names. */
export const ownerOf = Effect.fnUntraced(function* (named: number | undefined) {
  const caller = yield* Caller
  const tenantId = named ?? tenantOf(caller)
  if (caller.kind === "user" && caller.tenantId !== tenantId)
    return yield* new Forbidden({ detail: "Only service tokens may name another tenant." })
  return tenantId
})

/** Fails with 422 when the body has no field to change. */
export const notEmpty = (payload: object) =>
  Object.keys(payload).length === 0 ? Effect.fail(invalid("payload", "must have at least one field")) : Effect.void

export const iso = (at: Date | null): string | null => (at === null ? null : at.toISOString())

/** A 422 for one field, for rules that no schema can check. */
export const invalid = (field: string, message: string) => new InvalidRequest({ errors: [{ field, message }] })
