/** What dns-verifier refuses, beyond wrong input and missing permissions. */
import { Schema } from "effect"
import { HttpApiError } from "effect/http-api"
import { codeField, declaration } from "#core/http/Problem.ts"

/** 409: the domain is there already, in whichever tenant; a name in DNS belongs to one. */
export class DomainTaken extends HttpApiError.Problem<DomainTaken>()(
  "DomainTaken",
  declaration("domain_taken", 409, "This domain is taken"),
  codeField("domain_taken")
) {}

/** 409: a record of the same name, type and content is there already. */
export class RecordTaken extends HttpApiError.Problem<RecordTaken>()(
  "RecordTaken",
  declaration("record_taken", 409, "This record is there already"),
  codeField("record_taken")
) {}

/** 409: a CNAME stands alone at its name (RFC 2181 §10.1). */
export class CnameConflict extends HttpApiError.Problem<CnameConflict>()(
  "CnameConflict",
  declaration("cname_conflict", 409, "A CNAME stands alone at its name"),
  codeField("cname_conflict")
) {}

/** 409: the record is the platform's, mail's or a stranger's, and not changed by hand here; `source` says whose. */
export class RecordFixed extends HttpApiError.Problem<RecordFixed>()(
  "RecordFixed",
  declaration("record_fixed", 409, "This record is not changed by hand"),
  { ...codeField("record_fixed"), source: Schema.Literals(["platform", "mail", "foreign"]) }
) {}

/** 409: the record lies in the provider's zone, from where a plan takes it. */
export class ProviderManaged extends HttpApiError.Problem<ProviderManaged>()(
  "ProviderManaged",
  declaration("provider_managed", 409, "This record is managed at the DNS provider"),
  codeField("provider_managed")
) {}

/** 409: the domain has no provider account that its zone could be written with. */
export class NotManaged extends HttpApiError.Problem<NotManaged>()(
  "NotManaged",
  declaration("not_managed", 409, "This domain's DNS is not managed here"),
  codeField("not_managed")
) {}

/** 409: the plan is no longer, or not yet, in a state in which this can be done. */
export class PlanClosed extends HttpApiError.Problem<PlanClosed>()(
  "PlanClosed",
  declaration("plan_closed", 409, "This plan cannot be changed any more"),
  { ...codeField("plan_closed"), state: Schema.String }
) {}

/** 409: a plan of the domain is being applied. */
export class PlanUnderWay extends HttpApiError.Problem<PlanUnderWay>()(
  "PlanUnderWay",
  declaration("plan_under_way", 409, "A plan is being applied"),
  codeField("plan_under_way")
) {}

/** 409: the plan changes so much of the zone that it waits for somebody who says `force`; `share` of 1. */
export class PlanStopped extends HttpApiError.Problem<PlanStopped>()(
  "PlanStopped",
  declaration("plan_stopped", 409, "This plan changes much of the zone"),
  { ...codeField("plan_stopped"), share: Schema.Number }
) {}

/** 409: domains use the account; `domains` names at most twenty, `count` says how many there are. */
export class ProviderInUse extends HttpApiError.Problem<ProviderInUse>()(
  "ProviderInUse",
  declaration("in_use", 409, "Domains use this account"),
  {
    ...codeField("in_use"),
    count: Schema.Int,
    domains: Schema.Array(Schema.Struct({ id: Schema.Int, name: Schema.String }))
  }
) {}

/** 409: this kind of provider has no interface that we speak. */
export class NoAdapter extends HttpApiError.Problem<NoAdapter>()(
  "NoAdapter",
  declaration("no_adapter", 409, "This kind of provider is not spoken to"),
  codeField("no_adapter")
) {}

/**
 * 502: the provider did not do what was asked; `reason` as in ProviderError, `retry_after` in seconds where it said so.
 */
export class ProviderFailed extends HttpApiError.Problem<ProviderFailed>()(
  "ProviderFailed",
  declaration("provider_failed", 502, "The DNS provider did not do this"),
  { ...codeField("provider_failed"), reason: Schema.String, retry_after: Schema.NullOr(Schema.Number) }
) {}
