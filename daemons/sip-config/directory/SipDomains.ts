/**
 * SIP domains, created on first use. Functions run in the surrounding transaction and need the tenant's lock
 * (`inTurn`).
 */
import { Effect } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { DomainTaken, NumberTaken } from "./Errors.ts"
import { changed } from "./Change.ts"
import { invalid } from "./Destinations.ts"

export interface SipDomain {
  readonly id: number
  readonly tenant_id: number
  readonly domain: string
}

/** SIP domain of the tenant with this normalised name, created if missing; 409 when another tenant has it. */
export const claimed = Effect.fnUntraced(function* (tenantId: number, name: string) {
  const sql = yield* SqlClient.SqlClient
  const own = sql<SipDomain>`select id, tenant_id, domain from sip_config.sip_domain
    where domain = ${name} and tenant_id = ${tenantId}`
  const [there] = yield* own
  if (there !== undefined) return there
  const [made] =
    yield* sql<SipDomain>`insert into sip_config.sip_domain (tenant_id, domain) values (${tenantId}, ${name})
    on conflict (domain) do nothing returning id, tenant_id, domain`
  if (made === undefined) return yield* new DomainTaken({ detail: "Choose another SIP domain." })
  yield* changed("sip_domain", made, "created", { domain: name })
  return made
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
  if (gone !== undefined) yield* changed("sip_domain", gone, "deleted", { domain: gone.domain })
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
