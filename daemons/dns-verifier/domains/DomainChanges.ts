/**
 * Creates, changes and deletes domains under their rules. Runs in the surrounding transaction and writes the audit log.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as CustomerTenants from "#core/customers/CustomerTenants.ts"
import * as NameClaims from "#core/ownership/NameClaims.ts"
import { requestPlan } from "../domain-store/PlanRequests.ts"
import { type PlatformAddresses, platformRecords } from "../record-sets/DesiredSets.ts"
import { differences, note } from "../domain-store/AuditNote.ts"
import * as Domains from "../domain-store/Domains.ts"
import { type Account, accountStatusOf, canWrite } from "../domain-store/AccountStatus.ts"
import { refuseWhileApplying, forgetZones } from "../domain-store/AccountChanges.ts"
import { invalid } from "../domain-store/Requests.ts"
import { DomainTaken } from "../domain-store/Errors.ts"
import { announce, phaseNow } from "../verification/Exports.ts"

/** Data of a new domain; `name` is normalised. */
export interface NewDomain {
  readonly tenantId: number
  readonly customerId: number
  readonly name: string
  readonly providerId: number | null
  /** Provider that the name servers belong to. */
  readonly detected: string | null
  readonly zone: string | null
  /** Whether the caller asserts that the tenant owns the name. */
  readonly isAsserted: boolean
}

/**
 * Creates a domain. Without a given account it uses the customer's account at the detected provider. `minute`: length
 * of a minute of the checks in milliseconds.
 */
export const create = Effect.fnUntraced(function* (
  { customerId, detected, isAsserted, name, providerId, tenantId, zone }: NewDomain,
  platform: PlatformAddresses,
  minute: number
) {
  const sql = yield* SqlClient.SqlClient
  const account =
    providerId === null
      ? yield* ofDetected(tenantId, customerId, detected)
      : yield* ofCustomer(tenantId, customerId, providerId)
  const { state } = yield* Effect.catchTag(NameClaims.open("dns", tenantId, name, isAsserted), "NameHeld", () =>
    Effect.fail(new DomainTaken({ detail: "Another tenant holds the domain." }))
  )
  const made = yield* Domains.insert({
    proven: state === "proven",
    tenant_id: tenantId,
    customer_id: customerId,
    name,
    dns_provider_id: account?.id ?? null,
    dns_status: accountStatusOf(account ?? null, detected),
    detected_provider: detected,
    zone,
    phase: phaseNow(minute)
  })
  if (made === undefined)
    return yield* new DomainTaken({ detail: "Choose another name, or delete the existing domain." })
  for (const { content, name, source, ttl, type } of platformRecords(platform)) {
    yield* sql`insert into dns_verifier.record
      ${sql.insert({ tenant_id: tenantId, domain_id: made.id, source, type, name, content, ttl })}`
  }
  yield* note("domain", made, "created", {
    name,
    customer_id: customerId,
    dns_provider_id: made.dns_provider_id,
    dns_status: made.dns_status,
    proven: made.proven
  })
  yield* Domains.tellCreated(made)
  yield* announce
  if (canWrite(account ?? null)) yield* requestPlan(made.id, "The domain was added")
  return made
})

/** Updates the given fields. */
export const update = Effect.fnUntraced(function* (
  id: number,
  to: { readonly customer_id?: number; readonly dns_provider_id?: number | null }
) {
  const before = yield* Domains.held(id)
  const after = { ...before, ...to }
  const found = differences(before, after, ["customer_id", "dns_provider_id"])
  if (found === undefined) return before
  if (to.customer_id !== undefined) yield* CustomerTenants.sameTenant("dns_verifier", before.tenant_id, to.customer_id)
  const account =
    after.dns_provider_id === null
      ? undefined
      : yield* ofCustomer(before.tenant_id, after.customer_id, after.dns_provider_id)
  if (after.dns_provider_id !== before.dns_provider_id) {
    yield* refuseWhileApplying(id)
    yield* forgetZones([id])
  }
  const fromAccount = accountStatusOf(account ?? null, before.detected_provider)
  const row = yield* Domains.change(id, {
    customer_id: after.customer_id,
    dns_provider_id: after.dns_provider_id,
    dns_status: Domains.hasAccountStatus(before) ? fromAccount : before.dns_status
  })
  yield* note("domain", row, "changed", found)
  if (canWrite(account ?? null) && after.dns_provider_id !== before.dns_provider_id)
    yield* requestPlan(id, "The domain has another account")
  return row
})

/** Deletes the domain and returns the record sets of ours that stay in its zone. */
export const remove = Effect.fnUntraced(function* (id: number) {
  const sql = yield* SqlClient.SqlClient
  const domain = yield* Domains.held(id)
  yield* refuseWhileApplying(id)
  const left = yield* sql<{ type: string; name: string; contents: ReadonlyArray<string> }>`select type, name, contents
    from dns_verifier.owned_set where domain_id = ${id} order by name, type`
  yield* Domains.remove(domain)
  yield* NameClaims.release("dns", domain.tenant_id, domain.name)
  yield* note("domain", domain, "deleted", { name: domain.name, customer_id: domain.customer_id, left: left.length })
  return { id, name: domain.name, left }
})

/** Has DNS asked soon for the challenge of a pending domain. */
export const checkOwnership = Effect.fnUntraced(function* (id: number) {
  const domain = yield* Domains.get(id)
  if (!domain.proven) yield* NameClaims.hasten("dns", domain.tenant_id, domain.name)
  return domain
})

/** Announces the tenant's domain when its name is proven, and has its zone planned. */
export const setProven = Effect.fnUntraced(function* (tenantId: number, name: string) {
  const domain = yield* Domains.setProven(tenantId, name)
  if (domain !== undefined) yield* requestPlan(domain.id, "The ownership of the domain was proven")
})

/**
 * The provider asserts that the tenant owns the domain. Fails when another tenant holds the name. `noted` writes the
 * audit entry of a change.
 */
export const assert = Effect.fnUntraced(function* <E, R>(
  id: number,
  noted: (domain: Domains.Domain) => Effect.Effect<void, E, R>
) {
  const domain = yield* Domains.get(id)
  if (domain.proven) return domain
  if (!(yield* NameClaims.prove("dns", domain.tenant_id, domain.name, "asserted")))
    return yield* new DomainTaken({ detail: "Another tenant holds the domain." })
  yield* setProven(domain.tenant_id, domain.name)
  yield* noted(domain)
  return yield* Domains.get(id)
})

interface Found extends Account {
  readonly id: number
}

/** Reads and locks the account that a request names; 422 when the customer has no such account. */
const ofCustomer = Effect.fnUntraced(function* (tenantId: number, customerId: number, id: number) {
  const sql = yield* SqlClient.SqlClient
  const [found] =
    yield* sql<Found>`select id, type, credentials is not null as has_credentials from dns_verifier.dns_provider
    where id = ${id} and tenant_id = ${tenantId} and customer_id = ${customerId} for share`
  return (
    found ?? (yield* invalid("payload.dns_provider_id", "must be the id of a DNS provider of the domain's customer"))
  )
})

/** Account of the customer at a DNS provider that has credentials: the default account, otherwise the oldest. */
const ofDetected = Effect.fnUntraced(function* (tenantId: number, customerId: number, detected: string | null) {
  if (detected === null) return undefined
  const sql = yield* SqlClient.SqlClient
  const [found] = yield* sql<Found>`select id, type, true as has_credentials from dns_verifier.dns_provider
    where tenant_id = ${tenantId} and customer_id = ${customerId} and type = ${detected} and credentials is not null
    order by is_default desc, id limit 1 for share`
  return found
})
