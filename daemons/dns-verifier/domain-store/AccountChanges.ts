/**
 * Rules for a change of a domain's provider account. A new account, or none, ends our ownership of what we wrote with
 * the old account. Runs in the surrounding transaction.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { PlanUnderWay } from "./Errors.ts"
import { requestPlan } from "./PlanRequests.ts"
import * as Domains from "./Domains.ts"
import { accountStatusOf } from "./AccountStatus.ts"

const underWay = new PlanUnderWay({ detail: "Wait until the plan is applied; this takes at most a minute." })

/** Fails with 409 while a plan for a domain of the account is being applied. */
export const refuseWhileAccountApplies = Effect.fnUntraced(function* (providerId: number) {
  const sql = yield* SqlClient.SqlClient
  const found = yield* sql`select 1 from dns_verifier.plan p join dns_verifier.domain d on d.id = p.domain_id
    where d.dns_provider_id = ${providerId} and p.state = 'applying' limit 1`
  if (found.length > 0) return yield* underWay
})

/** Fails with 409 while a plan for the domain is being applied. */
export const refuseWhileApplying = Effect.fnUntraced(function* (domainId: number) {
  const sql = yield* SqlClient.SqlClient
  if ((yield* sql`select 1 from dns_verifier.plan where domain_id = ${domainId} and state = 'applying'`).length > 0)
    return yield* underWay
})

/** Deletes the owned record sets and the zone readings of the domains, and marks their open plans as stale. */
export const forgetZones = Effect.fnUntraced(function* (domainIds: ReadonlyArray<number>) {
  if (domainIds.length === 0) return
  const sql = yield* SqlClient.SqlClient
  yield* sql`delete from dns_verifier.owned_set where ${sql.in("domain_id", domainIds)}`
  yield* sql`delete from dns_verifier.zone_reading where ${sql.in("domain_id", domainIds)}`
  yield* sql`update dns_verifier.plan set state = 'stale', problem = 'The domain has another account.', ended_at = now()
    where ${sql.in("domain_id", domainIds)} and state in ('planned', 'stopped')`
})

/** Requests plans for the account's domains after it got credentials. */
export const planWithCredentials = Effect.fnUntraced(function* (providerId: number) {
  for (const { id } of yield* ofAccount(providerId)) yield* requestPlan(id, "The account has new credentials")
})

/** Removes the account from all its domains. */
export const detachDomains = Effect.fnUntraced(function* (providerId: number) {
  const sql = yield* SqlClient.SqlClient
  const domains = yield* ofAccount(providerId)
  yield* forgetZones(domains.map(({ id }) => id))
  yield* sql`update dns_verifier.domain set dns_provider_id = null where dns_provider_id = ${providerId}`
  const byStatus = Map.groupBy(domains, ({ detected_provider }) => accountStatusOf(null, detected_provider))
  for (const [status, of] of byStatus)
    yield* Domains.setAccountStatus(
      of.map(({ id }) => id),
      status
    )
})

interface Held {
  readonly id: number
  readonly detected_provider: string | null
}

const ofAccount = (providerId: number) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) =>
      sql<Held>`select id, detected_provider from dns_verifier.domain where dns_provider_id = ${providerId}
        order by id for update`
  )
