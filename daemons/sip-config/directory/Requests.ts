/** Helpers shared by the handlers for telephony data. */
import { Effect, Redacted } from "effect"
import type { CountryCode } from "libphonenumber-js/min"
import { Caller, tenantOf } from "#core/auth/Caller.ts"
import { Forbidden } from "#core/http/Problem.ts"
import { invalid } from "./Destinations.ts"
import { isEmergency, isEmergencyAbroad } from "#protocols/phone-numbers/EmergencyNumbers.ts"
import { e164 } from "./numbers/Spellings.ts"

/** Tenant of a new object: the caller's own, or the one that a service token names. */
export const ownerOf = Effect.fnUntraced(function* (named: number | undefined) {
  const caller = yield* Caller
  const tenantId = named ?? tenantOf(caller)
  if (caller.kind === "user" && caller.tenantId !== tenantId)
    return yield* new Forbidden({ detail: "Only service tokens may name another tenant." })
  return tenantId
})

/** Fails with 422 for `field` when the caller sends a secret without the permission to choose one. */
export const maySend = Effect.fnUntraced(function* (secret: string | null | undefined, field: string) {
  const caller = yield* Caller
  if (secret === undefined || caller.kind === "service" || caller.permissions.has("sip.credentials.write")) return
  return yield* invalid(field, "requires the permission sip.credentials.write; omit it")
})

/** Secret from the request, or a generated one. */
export const chosen = (sent: string | undefined, made: () => Redacted.Redacted): Redacted.Redacted =>
  sent === undefined ? made() : Redacted.make(sent)

/** E.164 of a telephone number in any spelling; 422 for `field` when it is none. */
export const phoneNumber = (spelling: string, country: CountryCode, field: string) => {
  const number = e164(spelling, country)
  return number === undefined
    ? Effect.fail(invalid(field, "must be a telephone number such as +49301234567"))
    : Effect.succeed(number)
}

/** Fails with 422 for `field` when the number is dialled in an emergency. Such calls never reach an object of ours. */
export const notEmergency = (number: string | null | undefined, country: CountryCode, field: string) =>
  typeof number === "string" && (isEmergency(number, country) || isEmergencyAbroad(number))
    ? Effect.fail(invalid(field, "is an emergency number; choose another one"))
    : Effect.void

/** E.164 of a telephone number that is stored; 422 for `field` when it is none, or an emergency number. */
export const storedNumber = (spelling: string, country: CountryCode, field: string) =>
  Effect.andThen(notEmergency(spelling, country, field), phoneNumber(spelling, country, field))

/** Fails with 422 when a change has no fields. */
export const notEmpty = (payload: object) =>
  Object.keys(payload).length === 0 ? Effect.fail(invalid("payload", "must have at least one field")) : Effect.void

/** Converts the timestamps of a row for the response. */
export const answered = <A extends { readonly created_at: Date; readonly updated_at: Date }>({
  created_at,
  updated_at,
  ...rest
}: A) => ({ ...rest, created_at: created_at.toISOString(), updated_at: updated_at.toISOString() })

/** Converts a row of a SIP domain for the response: without the domain's ID, because the response has its name. */
export const answeredIn = <
  A extends { readonly domain_id: number; readonly created_at: Date; readonly updated_at: Date }
>(
  row: A
) => {
  const { domain_id: _, ...rest } = answered(row)
  return rest
}
