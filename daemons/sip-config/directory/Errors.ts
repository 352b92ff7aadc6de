/** What sip-config refuses, beyond wrong input and missing permissions. */
import { Schema } from "effect"
import { HttpApiError } from "effect/http-api"
import { codeField, declaration } from "#core/http/Problem.ts"

/** 409: the SIP domain is another tenant's; the switch finds a domain by the name alone. */
export class DomainTaken extends HttpApiError.Problem<DomainTaken>()(
  "DomainTaken",
  declaration("domain_taken", 409, "This SIP domain is taken"),
  codeField("domain_taken")
) {}

/** 409: something else answers at this number already. */
export class NumberTaken extends HttpApiError.Problem<NumberTaken>()(
  "NumberTaken",
  declaration("number_taken", 409, "This number is in use"),
  codeField("number_taken")
) {}

/** What points at a thing. */
export const User = Schema.Struct({
  type: Schema.Literals(["did", "line", "ring_group", "ivr_menu"]),
  id: Schema.Int,
  name: Schema.String
})

/** 409: others point at it; `used_by` names them, at most twenty. */
export class InUse extends HttpApiError.Problem<InUse>()("InUse", declaration("in_use", 409, "Others point at this"), {
  ...codeField("in_use"),
  used_by: Schema.Array(User)
}) {}
