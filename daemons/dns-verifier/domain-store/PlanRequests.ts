/** Requests for plans: the job that has a plan made for a domain. */
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Jobs from "#core/jobs/Jobs.ts"

/** Somebody should look what a managed domain's zone lacks. */
export const PlanWanted = Jobs.define(
  "dns-verifier.plan",
  Schema.Struct({
    tenant_id: Schema.Int,
    domain_id: Schema.Int,
    reason: Schema.String,
    /** How often the provider did not answer before. */
    tries: Schema.Int
  })
)

/**
 * Has a plan made for the domain once the surrounding transaction is committed, and applied where it may be
 * (SIGNALBOX_DNS_AUTO_APPLY). Nothing comes of it when the domain has no account by then, or its zone is as wanted.
 * `reason`: in words, as lists show it.
 */
export const requestPlan = Effect.fnUntraced(function* (domainId: number, reason: string) {
  const sql = yield* SqlClient.SqlClient
  const [domain] = yield* sql<{
    tenant_id: number
  }>`select tenant_id from dns_verifier.domain where id = ${domainId} and dns_provider_id is not null`
  if (domain === undefined) return
  const jobs = yield* Jobs.Jobs
  yield* jobs.send(PlanWanted, [{ data: { tenant_id: domain.tenant_id, domain_id: domainId, reason, tries: 0 } }])
})
