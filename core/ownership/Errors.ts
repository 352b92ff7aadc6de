/** Problem responses of requests in which a tenant claims a domain name. */
import { HttpApiError } from "effect/http-api"
import { codeField, declaration } from "../http/Problem.ts"

/** 409: another tenant has proven that the name is its own. */
export class NameHeld extends HttpApiError.Problem<NameHeld>()(
  "NameHeld",
  declaration("domain_taken", 409, "The domain belongs to another tenant"),
  codeField("domain_taken")
) {}

/** 409: the name is one of the provider's own. */
export class NameReserved extends HttpApiError.Problem<NameReserved>()(
  "NameReserved",
  declaration("domain_reserved", 409, "The domain belongs to the provider"),
  codeField("domain_reserved")
) {}

/** 409: the tenant has too many unproven claims. */
export class TooManyClaims extends HttpApiError.Problem<TooManyClaims>()(
  "TooManyClaims",
  declaration("too_many_claims", 409, "The tenant has too many unproven domains"),
  codeField("too_many_claims")
) {}

/** 409: the domain cannot be used before its ownership is proven. */
export class DomainPending extends HttpApiError.Problem<DomainPending>()(
  "DomainPending",
  declaration("domain_pending", 409, "The ownership of the domain is not proven yet"),
  codeField("domain_pending")
) {}
