/** Background requests for plans. */
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Jobs from "#core/jobs/Jobs.ts"

/** Job: plan what is missing in the zone of a managed domain. */
export const PlanWanted = Jobs.define(
  "dns-verifier.plan",
  Schema.Struct({
    tenant_id: Schema.Int,
    domain_id: Schema.Int,
    reason: Schema.String,
    /** Number of earlier attempts in which the provider did not answer. */
    tries: Schema.Int
  })
)

/**
 * Counts a change of the domain's desired records, and requests a plan for it when the surrounding transaction commits.
 * One plan covers all changes that were counted before it. SIGNALBOX_DNS_AUTO_APPLY decides whether the plan is applied
 * without a user. Does nothing when the domain is not proven or has no account. `reason`: English text for the list of
 * plans. `startAfter`: earliest time of planning; default: at once.
 */
export const requestPlan = Effect.fnUntraced(function* (domainId: number, reason: string, startAfter?: Date) {
  const sql = yield* SqlClient.SqlClient
  const [change] = yield* sql<{ tenant_id: number }>`insert into dns_verifier.zone_change (domain_id, tenant_id)
    select id, tenant_id from dns_verifier.domain where id = ${domainId} and dns_provider_id is not null and proven
    on conflict (domain_id) do update set requested = zone_change.requested + 1 returning tenant_id`
  if (change === undefined) return
  const jobs = yield* Jobs.Jobs
  const data = { tenant_id: change.tenant_id, domain_id: domainId, reason, tries: 0 }
  yield* jobs.send(PlanWanted, [{ data, ...(startAfter === undefined ? {} : { startAfter }) }])
})
