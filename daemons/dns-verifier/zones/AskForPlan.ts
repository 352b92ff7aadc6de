import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Jobs } from "#core/jobs/Jobs.ts"
import { PlanWanted } from "./ZoneJobs.ts"

/**
 * Has a plan made for the domain once the surrounding transaction is committed, and applied where it may be
 * (SIGNALBOX_DNS_AUTO_APPLY). Nothing comes of it when the domain has no account by then, or its zone is as wanted.
 * `reason`: in words, as lists show it.
 */
export const askForPlan = Effect.fnUntraced(function* (domainId: number, reason: string) {
  const sql = yield* SqlClient.SqlClient
  const [domain] = yield* sql<{
    tenant_id: number
  }>`select tenant_id from dns_verifier.domain where id = ${domainId} and dns_provider_id is not null`
  if (domain === undefined) return
  const jobs = yield* Jobs
  yield* jobs.send(PlanWanted, [{ data: { tenant_id: domain.tenant_id, domain_id: domainId, reason, tries: 0 } }])
})
