/** Refusals of changes to domains and records. */
import { Schema } from "effect"
import { HttpApiError } from "effect/http-api"
import { codeField, declaration } from "#core/http/Problem.ts"

/** 409: a tenant already has the domain. A name can belong to one tenant only. */
export class DomainTaken extends HttpApiError.Problem<DomainTaken>()(
  "DomainTaken",
  declaration("domain_taken", 409, "This domain is taken"),
  codeField("domain_taken")
) {}

/** 409: the domain already has a record with this name, type and content. */
export class RecordTaken extends HttpApiError.Problem<RecordTaken>()(
  "RecordTaken",
  declaration("record_taken", 409, "This record exists already"),
  codeField("record_taken")
) {}

/** 409: a CNAME must be the only record of its name (RFC 2181 §10.1). */
export class CnameConflict extends HttpApiError.Problem<CnameConflict>()(
  "CnameConflict",
  declaration("cname_conflict", 409, "A CNAME must be the only record of its name"),
  codeField("cname_conflict")
) {}

/**
 * 409: the record belongs to the platform, to mail or to a third party, so users cannot change it; `source` names the
 * owner.
 */
export class RecordFixed extends HttpApiError.Problem<RecordFixed>()(
  "RecordFixed",
  declaration("record_fixed", 409, "This record cannot be changed directly"),
  { ...codeField("record_fixed"), source: Schema.Literals(["platform", "mail", "foreign"]) }
) {}

/** 409: the record is in the provider's zone, so only a plan can remove it. */
export class ProviderManaged extends HttpApiError.Problem<ProviderManaged>()(
  "ProviderManaged",
  declaration("provider_managed", 409, "This record is managed at the DNS provider"),
  codeField("provider_managed")
) {}

/** 409: a plan for the domain is being applied. */
export class PlanUnderWay extends HttpApiError.Problem<PlanUnderWay>()(
  "PlanUnderWay",
  declaration("plan_under_way", 409, "A plan is being applied"),
  codeField("plan_under_way")
) {}
