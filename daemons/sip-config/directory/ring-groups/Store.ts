/**
 * Reads and writes ring groups: extensions of one domain that ring for the same call. Functions run in the surrounding
 * transaction. Changes write audit entries and are announced to the projections.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { NotFound } from "#core/http/Problem.ts"
import { NumberTaken } from "../Errors.ts"
import { changed, differences, inTurn, orTaken } from "../Change.ts"
import { invalid } from "../Destinations.ts"
import * as SipDomains from "../SipDomains.ts"
import { notLedTo } from "../Uses.ts"

export interface Settings {
  readonly name: string
  /** Number to dial the group; null: only DIDs and menus lead to it. */
  readonly number: string | null
  readonly strategy: "simultaneous" | "sequence" | "random"
  /** Longest ringing, per extension in a sequence. Unit: seconds. */
  readonly ring_timeout: number
  /** Numbers of extensions of the same domain, in ringing order. */
  readonly extensions: ReadonlyArray<string>
}

export interface RingGroup extends Settings {
  readonly id: number
  readonly tenant_id: number
  readonly domain_id: number
  readonly domain: string
  readonly created_at: Date
  readonly updated_at: Date
}

const fields = (sql: SqlClient.SqlClient) =>
  sql`g.id, g.tenant_id, g.domain_id, d.domain, g.number, g.name, g.strategy, g.ring_timeout, g.extensions,
    g.created_at, g.updated_at`

const tables = (sql: SqlClient.SqlClient) =>
  sql`sip_config.ring_group g join sip_config.sip_domain d on d.id = g.domain_id`

export interface Filter {
  readonly tenant_id?: number
  readonly domain?: string
  readonly number?: string
}

/** Ring groups, newest first, at most `limit`. */
export const list = Effect.fnUntraced(function* (
  { domain, number, tenant_id: tenant }: Filter,
  before: number | undefined,
  limit: number
) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<RingGroup>`select ${fields(sql)} from ${tables(sql)} where ${sql.and([
    sql`true`,
    ...(tenant === undefined ? [] : [sql`g.tenant_id = ${tenant}`]),
    ...(domain === undefined ? [] : [sql`d.domain = ${domain}`]),
    ...(number === undefined ? [] : [sql`lower(g.number) = ${number}`]),
    ...(before === undefined ? [] : [sql`g.id < ${before}`])
  ])} order by g.id desc limit ${limit}`
})

/** Ring group with this ID, or 404. */
export const get = Effect.fnUntraced(function* (id: number) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<RingGroup>`select ${fields(sql)} from ${tables(sql)} where g.id = ${id}`
  return row ?? (yield* new NotFound({ detail: "The ring group does not exist." }))
})

const held = Effect.fnUntraced(function* (id: number) {
  yield* inTurn((yield* get(id)).tenant_id)
  return yield* get(id)
})

/** Fails with 422 for the first number that is a duplicate or not an extension of the domain. */
const areThere = Effect.fnUntraced(function* (domainId: number, extensions: ReadonlyArray<string>) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ extension: string }>`select extension from sip_config.extension
    where domain_id = ${domainId} and lower(extension) = any(${extensions}::text[])`
  const there = new Set(rows.map(({ extension }) => extension))
  for (const [index, extension] of extensions.entries()) {
    const field = `payload.extensions[${index}]`
    if (!there.has(extension)) return yield* invalid(field, "must be the number of an extension of the same SIP domain")
    if (extensions.indexOf(extension) < index) return yield* invalid(field, "is a duplicate")
  }
})

/** Creates a ring group. `named` undefined: in the tenant's default SIP domain. */
export const create = Effect.fnUntraced(function* (tenantId: number, named: string | undefined, group: Settings) {
  const sql = yield* SqlClient.SqlClient
  yield* inTurn(tenantId)
  const { domain, id: domainId } = yield* SipDomains.meant(tenantId, named, group.extensions)
  if (group.number !== null) yield* SipDomains.notExtension(domainId, group.number)
  yield* areThere(domainId, group.extensions)
  const insert = sql<{
    id: number
  }>`insert into sip_config.ring_group (tenant_id, domain_id, number, name, strategy, ring_timeout, extensions)
    values (${tenantId}, ${domainId}, ${group.number}, ${group.name}, ${group.strategy}, ${group.ring_timeout},
      ${group.extensions}::text[])
    returning id`
  const [row] = yield* orTaken(insert, taken)
  // The row was just inserted in this transaction, so a 404 is a defect.
  const made = yield* Effect.orDie(get(row!.id))
  yield* changed("sip_ring_group", made, "created", { ...group, domain })
  return made
})

/** Changes the given fields. */
export const update = Effect.fnUntraced(function* (id: number, to: Partial<Settings> & { readonly domain?: string }) {
  const sql = yield* SqlClient.SqlClient
  const before = yield* held(id)
  const after = { ...before, ...to }
  const found = differences(before, after, ["domain", "number", "name", "strategy", "ring_timeout", "extensions"])
  if (found === undefined) return before
  const { id: domainId } = yield* SipDomains.claimed(before.tenant_id, after.domain)
  if (after.number !== null) yield* SipDomains.notExtension(domainId, after.number)
  yield* areThere(domainId, after.extensions)
  const change = sql`update sip_config.ring_group set domain_id = ${domainId}, number = ${after.number},
    name = ${after.name}, strategy = ${after.strategy}, ring_timeout = ${after.ring_timeout},
    extensions = ${after.extensions}::text[], updated_at = now() where id = ${id}`
  yield* orTaken(change, taken)
  if (domainId !== before.domain_id) yield* SipDomains.released(before.domain_id)
  yield* changed("sip_ring_group", before, "changed", found)
  return yield* get(id)
})

/** Deletes a ring group; 409 while a DID or menu leads to it. */
export const remove = Effect.fnUntraced(function* (id: number) {
  const sql = yield* SqlClient.SqlClient
  const row = yield* held(id)
  yield* notLedTo("ring_group", row)
  yield* sql`delete from sip_config.ring_group where id = ${id}`
  yield* SipDomains.released(row.domain_id)
  yield* changed("sip_ring_group", row, "deleted", { name: row.name, domain: row.domain })
})

const taken = new NumberTaken({ detail: "A ring group of the domain has this number." })
