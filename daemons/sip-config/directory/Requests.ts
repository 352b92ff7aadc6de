/** What the handlers of telephony data share. */
import { Effect, Redacted } from "effect"
import type { CountryCode } from "libphonenumber-js/min"
import { Caller, tenantOf } from "#core/auth/Caller.ts"
import { Forbidden } from "#core/http/Problem.ts"
import { invalid } from "./Destinations.ts"
import { e164 } from "./numbers/Spellings.ts"

/** Whose the new thing is: the caller's, or of the tenant that a service token names. */
export const ownerOf = Effect.fnUntraced(function* (named: number | undefined) {
  const caller = yield* Caller
  const tenantId = named ?? tenantOf(caller)
  if (caller.kind === "user" && caller.tenantId !== tenantId)
    return yield* new Forbidden({ detail: "Only service tokens name another tenant." })
  return tenantId
})

/** Fails with 422 of `field` where the caller sends a secret and may not. */
export const maySend = Effect.fnUntraced(function* (secret: string | null | undefined, field: string) {
  const caller = yield* Caller
  if (secret === undefined || caller.kind === "service" || caller.permissions.has("sip.credentials.write")) return
  return yield* invalid(field, "is not for you to choose: leave it out")
})

/** The secret that was sent, or one that is made here. */
export const chosen = (sent: string | undefined, made: () => Redacted.Redacted): Redacted.Redacted =>
  sent === undefined ? made() : Redacted.make(sent)

/** E.164 of a telephone number in any spelling, or 422 of `field`. */
export const phoneNumber = (spelling: string, country: CountryCode, field: string) => {
  const number = e164(spelling, country)
  return number === undefined
    ? Effect.fail(invalid(field, "must be a telephone number such as +49301234567"))
    : Effect.succeed(number)
}

/** Fails with 422 when a change names nothing. */
export const notEmpty = (payload: object) =>
  Object.keys(payload).length === 0 ? Effect.fail(invalid("payload", "must have one of its fields")) : Effect.void

/** A row as it is answered, by its times. */
export const answered = <A extends { readonly created_at: Date; readonly updated_at: Date }>({
  created_at,
  updated_at,
  ...rest
}: A) => ({ ...rest, created_at: created_at.toISOString(), updated_at: updated_at.toISOString() })

/** The same of a thing in a SIP domain, which is told by its name. */
export const answeredIn = <
  A extends { readonly domain_id: number; readonly created_at: Date; readonly updated_at: Date }
>(
  row: A
) => {
  const { domain_id: _, ...rest } = answered(row)
  return rest
}
