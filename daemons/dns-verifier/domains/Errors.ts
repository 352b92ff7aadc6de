/** Refusals of new domains. */
import { HttpApiError } from "effect/http-api"
import { codeField, declaration } from "#core/http/Problem.ts"

/** 409: a tenant already has the domain. A name can belong to one tenant only. */
export class DomainTaken extends HttpApiError.Problem<DomainTaken>()(
  "DomainTaken",
  declaration("domain_taken", 409, "This domain is taken"),
  codeField("domain_taken")
) {}
