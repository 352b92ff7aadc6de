/** SIP domains and the proof of their ownership. Functions run in the surrounding transaction with its role. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { NotFound } from "#core/http/Problem.ts"
import * as NameClaims from "#core/ownership/NameClaims.ts"
import { announceData } from "../Change.ts"
import { DomainTaken } from "../Errors.ts"

export interface SipDomain {
  readonly id: number
  readonly tenant_id: number
  readonly domain: string
  /** Whether the tenant holds the name, so that the switch sees the domain. */
  readonly proven: boolean
  /** Token of the challenge. */
  readonly token: string | null
  readonly created_at: Date
}

const selected = (sql: SqlClient.SqlClient) =>
  sql`select d.id, d.tenant_id, d.domain, d.proven, d.created_at, (select c.token from core.name_claim c
    where c.kind = 'sip' and c.tenant_id = d.tenant_id and c.name = d.domain) as token from sip_config.sip_domain d`

export interface Filter {
  readonly tenant_id?: number
  readonly domain?: string
  readonly proven?: boolean
}

/** SIP domains, newest first, at most `limit`. */
export const list = Effect.fnUntraced(function* (
  { domain, proven, tenant_id: tenant }: Filter,
  before: number | undefined,
  limit: number
) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<SipDomain>`${selected(sql)} where ${sql.and([
    sql`true`,
    ...(tenant === undefined ? [] : [sql`d.tenant_id = ${tenant}`]),
    ...(domain === undefined ? [] : [sql`d.domain = ${domain}`]),
    ...(proven === undefined ? [] : [sql`d.proven = ${proven}`]),
    ...(before === undefined ? [] : [sql`d.id < ${before}`])
  ])} order by d.id desc limit ${limit}`
})

/** SIP domain with this ID, or 404. */
export const get = Effect.fnUntraced(function* (id: number) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<SipDomain>`${selected(sql)} where d.id = ${id}`
  return row ?? (yield* new NotFound({ detail: "The SIP domain does not exist." }))
})

/** Has DNS asked soon for the challenge of a pending domain. */
export const checkOwnership = Effect.fnUntraced(function* (id: number) {
  const row = yield* get(id)
  if (!row.proven) yield* NameClaims.hasten("sip", row.tenant_id, row.domain)
  return row
})

/**
 * Lets the switch see the tenant's domain. Does nothing when it does so already, or without such a domain. The
 * extensions count as changed, so that the switch is told of them.
 */
export const setProven = Effect.fnUntraced(function* (tenantId: number, name: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ id: number }>`update sip_config.sip_domain set proven = true
    where tenant_id = ${tenantId} and domain = ${name} and not proven returning id`
  if (row === undefined) return
  yield* sql`update sip_config.extension set domain_id = domain_id where domain_id = ${row.id}`
  yield* announceData
})

/**
 * The provider asserts that the tenant owns the domain. Fails when another tenant holds the name. `noted` writes the
 * audit entry of a change.
 */
export const assert = Effect.fnUntraced(function* <E, R>(
  id: number,
  noted: (domain: SipDomain) => Effect.Effect<void, E, R>
) {
  const row = yield* get(id)
  if (row.proven) return row
  if (!(yield* NameClaims.prove("sip", row.tenant_id, row.domain, "asserted")))
    return yield* new DomainTaken({ detail: "Another tenant holds the SIP domain." })
  yield* setProven(row.tenant_id, row.domain)
  yield* noted(row)
  return yield* get(id)
})
