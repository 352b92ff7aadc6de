/** What the handlers of dns-verifier share. */
import { Effect } from "effect"
import { Caller, tenantOf } from "#core/auth/Caller.ts"
import { Forbidden, InvalidRequest } from "#core/http/Problem.ts"

/** Whose the new thing is: the caller's, or of the tenant that a service token names. */
export const ownerOf = Effect.fnUntraced(function* (named: number | undefined) {
  const caller = yield* Caller
  const tenantId = named ?? tenantOf(caller)
  if (caller.kind === "user" && caller.tenantId !== tenantId)
    return yield* new Forbidden({ detail: "Only service tokens name another tenant." })
  return tenantId
})

/** Fails with 422 when a change names nothing. */
export const notEmpty = (payload: object) =>
  Object.keys(payload).length === 0 ? Effect.fail(invalid("payload", "must have one of its fields")) : Effect.void

export const iso = (at: Date | null): string | null => (at === null ? null : at.toISOString())

/** One bad field that no schema can judge. */
export const invalid = (field: string, message: string) => new InvalidRequest({ errors: [{ field, message }] })
