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
 * Requests a plan for the domain when the surrounding transaction commits. SIGNALBOX_DNS_AUTO_APPLY decides whether it
 * is applied without a user. Does nothing when the domain is not proven, has no account, or its zone is already correct. `reason`:
 * English text for the list of plans.
 */
export const requestPlan = Effect.fnUntraced(function* (domainId: number, reason: string) {
  const sql = yield* SqlClient.SqlClient
  const [domain] = yield* sql<{
    tenant_id: number
  }>`select tenant_id from dns_verifier.domain where id = ${domainId} and dns_provider_id is not null and proven`
  if (domain === undefined) return
  const jobs = yield* Jobs.Jobs
  yield* jobs.send(PlanWanted, [{ data: { tenant_id: domain.tenant_id, domain_id: domainId, reason, tries: 0 } }])
})
