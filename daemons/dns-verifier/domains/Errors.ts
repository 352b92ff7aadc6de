/** Refusals of new domains. */
import { HttpApiError } from "effect/http-api"
import { codeField, declaration } from "#core/http/Problem.ts"

/** 409: the domain is there already, in whichever tenant; a name in DNS belongs to one. */
export class DomainTaken extends HttpApiError.Problem<DomainTaken>()(
  "DomainTaken",
  declaration("domain_taken", 409, "This domain is taken"),
  codeField("domain_taken")
) {}
