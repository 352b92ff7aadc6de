/** Problems of mail-admin, besides invalid input and missing permissions. */
import { Schema } from "effect"
import { HttpApiError } from "effect/http-api"
import { codeField, declaration } from "#core/http/Problem.ts"

/** 409: the tenant already has this mail domain, or another tenant has proven that the name is its own. */
export class DomainTaken extends HttpApiError.Problem<DomainTaken>()(
  "DomainTaken",
  declaration("domain_taken", 409, "The mail domain exists already"),
  codeField("domain_taken")
) {}

/** 409: the domain has mailboxes; `force=true` deletes them too. */
export class DomainNotEmpty extends HttpApiError.Problem<DomainNotEmpty>()(
  "DomainNotEmpty",
  declaration("domain_not_empty", 409, "The domain has mailboxes"),
  { ...codeField("domain_not_empty"), mailboxes: Schema.Int }
) {}

/** 409: a mailbox or an alias of the domain has this address. */
export class AddressTaken extends HttpApiError.Problem<AddressTaken>()(
  "AddressTaken",
  declaration("address_taken", 409, "This address is in use"),
  codeField("address_taken")
) {}

/** 409: mail to the alias would return to it. */
export class AliasLoop extends HttpApiError.Problem<AliasLoop>()(
  "AliasLoop",
  declaration("alias_loop", 409, "The alias leads back to itself"),
  codeField("alias_loop")
) {}

/** 409: a next key already waits for activation. */
export class RotationUnderWay extends HttpApiError.Problem<RotationUnderWay>()(
  "RotationUnderWay",
  declaration("rotation_under_way", 409, "The domain already has a next key"),
  { ...codeField("rotation_under_way"), selector: Schema.String }
) {}
