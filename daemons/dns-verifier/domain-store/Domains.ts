/**
 * Rows of domains and their events. Functions run in the surrounding transaction with its role, so a tenant's
 * transaction sees only its own domains.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { type Domain as Told, DomainChanged, DomainCreated, DomainDeleted } from "#core/contracts/Domains.ts"
import { Events } from "#core/events/Events.ts"
import { NotFound } from "#core/http/Problem.ts"
import { isAccountStatus, type AccountStatus } from "./AccountStatus.ts"

/** Source name of the emitted events. */
export const source = "dns-verifier"

export interface Domain {
  readonly id: number
  readonly tenant_id: number
  readonly customer_id: number
  readonly name: string
  /** Whether the tenant holds the name, so that its zone is written and events are emitted. */
  readonly proven: boolean
  /** Token of the challenge. */
  readonly token: string | null
  readonly dns_provider_id: number | null
  readonly dns_status: Told["dns_status"]
  readonly status: Told["status"]
  readonly detected_provider: string | null
  readonly zone: string | null
  readonly version: number
  readonly observed_at: Date | null
  readonly verified_at: Date | null
  readonly created_at: Date
  readonly updated_at: Date
}

const fields = (sql: SqlClient.SqlClient) =>
  sql`id, tenant_id, customer_id, name, dns_provider_id, dns_status, status, detected_provider, zone, version,
    observed_at, verified_at, created_at, updated_at, proven, (select c.token from core.name_claim c
      where c.kind = 'dns' and c.tenant_id = domain.tenant_id and c.name = domain.name) as token`

/** Whether the `dns_status` follows from the account alone. */
export const hasAccountStatus = ({ dns_status }: Pick<Domain, "dns_status">) => isAccountStatus(dns_status)

export const noSuchDomain = new NotFound({ detail: "The domain does not exist." })

export interface Filter {
  readonly tenant_id?: number
  readonly customer_id?: number
  readonly dns_status?: string
}

/** Lists domains, newest first: at most `limit`, without the first `skip`. */
export const list = Effect.fnUntraced(function* (filter: Filter, skip: number, limit: number) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<Domain>`select ${fields(sql)} from dns_verifier.domain where ${sql.and([
    sql`true`,
    ...(filter.tenant_id === undefined ? [] : [sql`tenant_id = ${filter.tenant_id}`]),
    ...(filter.customer_id === undefined ? [] : [sql`customer_id = ${filter.customer_id}`]),
    ...(filter.dns_status === undefined ? [] : [sql`dns_status = ${filter.dns_status}`])
  ])} order by id desc offset ${skip} limit ${limit}`
})

/** Reads a domain by id; 404 when it does not exist. */
export const get = Effect.fnUntraced(function* (id: number) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<Domain>`select ${fields(sql)} from dns_verifier.domain where id = ${id}`
  return row ?? (yield* noSuchDomain)
})

/**
 * Reads a domain and locks its row until the transaction ends. Changes of the domain and its records take this lock.
 */
export const held = Effect.fnUntraced(function* (id: number) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<Domain>`select ${fields(sql)} from dns_verifier.domain where id = ${id} for update`
  return row ?? (yield* noSuchDomain)
})

/** Inserts the row only. Returns undefined when the tenant already has the name. */
export const insert = Effect.fnUntraced(function* (
  made: Pick<
    Domain,
    "tenant_id" | "customer_id" | "name" | "proven" | "dns_provider_id" | "dns_status" | "detected_provider" | "zone"
  > & { readonly phase: number }
) {
  const sql = yield* SqlClient.SqlClient
  const [row] =
    yield* sql<Domain>`insert into dns_verifier.domain (tenant_id, customer_id, name, dns_provider_id, dns_status,
      detected_provider, zone, phase, proven)
    values (${made.tenant_id}, ${made.customer_id}, ${made.name}, ${made.dns_provider_id}, ${made.dns_status},
    ${made.detected_provider}, ${made.zone}, ${made.phase}, ${made.proven})
    on conflict (tenant_id, name) do nothing returning ${fields(sql)}`
  return row
})

/** Updates the given fields, raises the version, emits `domain.changed` and returns the new row. */
export const change = Effect.fnUntraced(function* (
  id: number,
  to: Partial<Pick<Domain, "customer_id" | "dns_provider_id" | "dns_status">>
) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<Domain>`update dns_verifier.domain
      set ${sql.update({ ...to })}, version = nextval('dns_verifier.domain_version'), updated_at = now()
    where id = ${id} returning ${fields(sql)}`
  yield* tell(DomainChanged, row!)
  return row!
})

/** Emits `domain.changed` for the domains. Sets `status` on those whose status follows from their account. */
export const setAccountStatus = Effect.fnUntraced(function* (ids: ReadonlyArray<number>, status: AccountStatus) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<Domain>`update dns_verifier.domain
      set version = nextval('dns_verifier.domain_version'), updated_at = now(),
      dns_status = case when dns_status in ('managed', 'credentials_missing', 'manual') then ${status}
      else dns_status end
    where ${sql.in("id", ids)} returning ${fields(sql)}`
  yield* tellChanged(rows)
})

/** Deletes the domain with its records, plans and zone reading, and emits `domain.deleted`. */
export const remove = Effect.fnUntraced(function* (domain: Domain) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ version: number }>`select nextval('dns_verifier.domain_version')::int as version`
  yield* sql`delete from dns_verifier.domain where id = ${domain.id}`
  yield* tell(DomainDeleted, { ...domain, version: row!.version }, "deleted")
})

/**
 * Makes the tenant its name's holder: announces the domain and returns it. Undefined when it is the holder already, or
 * without such a domain.
 */
export const setProven = Effect.fnUntraced(function* (tenantId: number, name: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<Domain>`update dns_verifier.domain
      set proven = true, version = nextval('dns_verifier.domain_version'), updated_at = now()
    where tenant_id = ${tenantId} and name = ${name} and not proven returning ${fields(sql)}`
  if (row !== undefined) yield* tellCreated(row)
  return row
})

export const tellCreated = (domain: Domain) => tell(DomainCreated, domain)

const tellChanged = (domains: ReadonlyArray<Domain>) =>
  Effect.flatMap(Events, (events) =>
    events.emitAll(
      DomainChanged,
      source,
      domains.filter(isProven).map((domain) => ({ data: told(domain), audience: { tenantId: domain.tenant_id } }))
    )
  )

/** Other daemons learn only of proven domains. */
const isProven = ({ proven }: Domain) => proven

const tell = (event: typeof DomainCreated, domain: Domain, state: Told["state"] = "active") =>
  Effect.flatMap(Events, (events) =>
    isProven(domain) ? events.emit(event, source, told(domain, state), { tenantId: domain.tenant_id }) : Effect.void
  )

const told = (row: Domain, state: Told["state"] = "active"): Told => ({
  domain_id: row.id,
  tenant_id: row.tenant_id,
  customer_id: row.customer_id,
  name: row.name,
  dns_status: row.dns_status,
  status: row.status,
  state,
  version: row.version
})
