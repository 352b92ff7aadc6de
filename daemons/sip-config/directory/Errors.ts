/** Errors of the telephony endpoints, besides invalid input and missing permissions. */
import { Schema } from "effect"
import { HttpApiError } from "effect/http-api"
import { codeField, declaration } from "#core/http/Problem.ts"
import { NameReserved, TooManyClaims } from "#core/ownership/Errors.ts"

/** 409: another tenant holds this SIP domain, which the switch finds by name alone. */
export class DomainTaken extends HttpApiError.Problem<DomainTaken>()(
  "DomainTaken",
  declaration("domain_taken", 409, "This SIP domain is taken"),
  codeField("domain_taken")
) {}

/** Problems of requests that may create a SIP domain. */
export const domainRefusals = [DomainTaken, NameReserved, TooManyClaims] as const

/** 409: the number is already in use. */
export class NumberTaken extends HttpApiError.Problem<NumberTaken>()(
  "NumberTaken",
  declaration("number_taken", 409, "This number is in use"),
  codeField("number_taken")
) {}

/** Object that references another one. */
export const User = Schema.Struct({
  type: Schema.Literals(["did", "line", "ring_group", "ivr_menu"]),
  id: Schema.Int,
  name: Schema.String
})

/** 409: other objects reference this one; `used_by` names at most twenty of them. */
export class InUse extends HttpApiError.Problem<InUse>()(
  "InUse",
  declaration("in_use", 409, "Other objects use this one"),
  { ...codeField("in_use"), used_by: Schema.Array(User) }
) {}
