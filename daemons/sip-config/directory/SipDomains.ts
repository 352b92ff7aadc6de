/**
 * SIP domains, created on first use. Functions run in the surrounding transaction and need the tenant's lock
 * (`inTurn`).
 */
import { Effect } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { Caller } from "#core/auth/Caller.ts"
import * as NameClaims from "#core/ownership/NameClaims.ts"
import { DomainTaken, NumberTaken } from "./Errors.ts"
import { changed } from "./Change.ts"
import { invalid } from "./Destinations.ts"

interface SipDomain {
  readonly id: number
  readonly tenant_id: number
  readonly domain: string
}

/**
 * SIP domain of the tenant with this normalised name, created if missing. A new domain is proven when the provider
 * creates it; otherwise the switch does not see it before its ownership is proven. 409 when another tenant holds it.
 */
export const claimed = Effect.fnUntraced(function* (tenantId: number, name: string) {
  const sql = yield* SqlClient.SqlClient
  const [there] = yield* sql<SipDomain>`select id, tenant_id, domain from sip_config.sip_domain
    where domain = ${name} and tenant_id = ${tenantId}`
  if (there !== undefined) return there
  const { state } = yield* Effect.catchTag(
    NameClaims.open("sip", tenantId, name, NameClaims.mayAssert(yield* Caller)),
    "NameHeld",
    () => Effect.fail(new DomainTaken({ detail: "Choose another SIP domain." }))
  )
  const proven = state === "proven"
  const [made] = yield* sql<SipDomain>`insert into sip_config.sip_domain (tenant_id, domain, proven)
    values (${tenantId}, ${name}, ${proven}) returning id, tenant_id, domain`
  yield* changed("sip_domain", made!, "created", { domain: name, proven })
  return made!
})

/**
 * SIP domain with this name. Without a name: the tenant's domain that has most of the extensions `members`, and of
 * several the oldest. 422 when the tenant has no domain.
 */
export const meant = Effect.fnUntraced(function* (
  tenantId: number,
  name: string | undefined,
  members: ReadonlyArray<string> = []
) {
  if (name !== undefined) return yield* claimed(tenantId, name)
  const sql = yield* SqlClient.SqlClient
  const [one] = yield* sql<SipDomain>`select d.id, d.tenant_id, d.domain from sip_config.sip_domain d
    where d.tenant_id = ${tenantId}
    order by (select count(*) from sip_config.extension e
       where e.domain_id = d.id and e.extension = any(${members}::text[])) desc, d.id limit 1`
  return one ?? (yield* invalid("payload.domain", "is required because the tenant has no SIP domain yet"))
})

/** Deletes an empty domain, so that another tenant can use its name. */
export const released = Effect.fnUntraced(function* (id: number) {
  const sql = yield* SqlClient.SqlClient
  const [gone] = yield* sql<SipDomain>`delete from sip_config.sip_domain d where d.id = ${id}
      and not exists (select 1 from sip_config.extension where domain_id = d.id)
      and not exists (select 1 from sip_config.ring_group where domain_id = d.id)
      and not exists (select 1 from sip_config.ivr_menu where domain_id = d.id)
      and not exists (select 1 from sip_config.voicemail_box where domain_id = d.id)
    returning id, tenant_id, domain`
  if (gone === undefined) return
  yield* NameClaims.release("sip", gone.tenant_id, gone.domain)
  yield* changed("sip_domain", gone, "deleted", { domain: gone.domain })
})

/**
 * Fails with 409 when a ring group (or, below, an extension) of the domain has this number. Both are dialled alike, so
 * they share one number space.
 */
export const notGroup = (domainId: number, number: string) =>
  notThere(
    (sql) => sql`select 1 from sip_config.ring_group where domain_id = ${domainId} and lower(number) = ${number}`,
    "A ring group of the domain has this number."
  )
export const notExtension = (domainId: number, number: string) =>
  notThere(
    (sql) => sql`select 1 from sip_config.extension where domain_id = ${domainId} and lower(extension) = ${number}`,
    "An extension of the domain has this number."
  )

const notThere = Effect.fnUntraced(function* (
  find: (sql: SqlClient.SqlClient) => Statement.Statement<unknown>,
  detail: string
) {
  const sql = yield* SqlClient.SqlClient
  if ((yield* find(sql)).length > 0) return yield* new NumberTaken({ detail })
})
