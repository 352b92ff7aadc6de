/**
 * Reads and writes voice menus (IVR). Functions run in the surrounding transaction. Changes write audit entries and are
 * announced to the projections.
 */
import { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { NotFound } from "#core/http/Problem.ts"
import { changed, differences, inTurn } from "../Change.ts"
import { type DestinationType, invalid, led } from "../Destinations.ts"
import * as SipDomains from "../SipDomains.ts"
import { notLedTo } from "../Uses.ts"

/** Destination for one key sequence. */
export interface Entry {
  readonly digits: string
  readonly destination_type: DestinationType
  readonly destination_id: number
}

export interface Settings {
  readonly name: string
  /** Sound file of the switch. */
  readonly greeting: string
  /** Longest wait for a key. Unit: seconds. */
  readonly timeout: number
  /** Wrong inputs before the menu hangs up. */
  readonly max_failures: number
  readonly entries: ReadonlyArray<Entry>
}

export interface IvrMenu extends Settings {
  readonly id: number
  readonly tenant_id: number
  readonly domain_id: number
  readonly domain: string
  readonly created_at: Date
  readonly updated_at: Date
}

const fields = (sql: SqlClient.SqlClient) =>
  sql`m.id, m.tenant_id, m.domain_id, d.domain, m.name, m.greeting, m.timeout, m.max_failures, m.entries, m.created_at,
    m.updated_at`

const tables = (sql: SqlClient.SqlClient) =>
  sql`sip_config.ivr_menu m join sip_config.sip_domain d on d.id = m.domain_id`

export interface Filter {
  readonly tenant_id?: number
  readonly domain?: string
}

/** Menus, newest first, at most `limit`. */
export const list = Effect.fnUntraced(function* (
  { domain, tenant_id: tenant }: Filter,
  before: number | undefined,
  limit: number
) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<IvrMenu>`select ${fields(sql)} from ${tables(sql)} where ${sql.and([
    sql`true`,
    ...(tenant === undefined ? [] : [sql`m.tenant_id = ${tenant}`]),
    ...(domain === undefined ? [] : [sql`d.domain = ${domain}`]),
    ...(before === undefined ? [] : [sql`m.id < ${before}`])
  ])} order by m.id desc limit ${limit}`
})

/** Menu with this ID, or 404. */
export const get = Effect.fnUntraced(function* (id: number) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<IvrMenu>`select ${fields(sql)} from ${tables(sql)} where m.id = ${id}`
  return row ?? (yield* new NotFound({ detail: "The menu does not exist." }))
})

const held = Effect.fnUntraced(function* (id: number) {
  yield* inTurn((yield* get(id)).tenant_id)
  return yield* get(id)
})

/** Fails with 422 for the first entry with duplicate keys or with a destination that the tenant does not have. */
const leadSomewhere = Effect.fnUntraced(function* (tenantId: number, entries: ReadonlyArray<Entry>) {
  for (const [index, { destination_id, destination_type, digits }] of entries.entries()) {
    const field = `payload.entries[${index}]`
    if (entries.findIndex((entry) => entry.digits === digits) < index)
      return yield* invalid(`${field}.digits`, "is a duplicate")
    yield* led(tenantId, destination_type, destination_id, `${field}.destination_id`)
  }
})

/** Creates a menu. `named` undefined: in the tenant's only SIP domain. */
export const create = Effect.fnUntraced(function* (tenantId: number, named: string | undefined, menu: Settings) {
  const sql = yield* SqlClient.SqlClient
  const pg = yield* PgClient.PgClient
  yield* inTurn(tenantId)
  const { domain, id: domainId } = yield* SipDomains.meant(tenantId, named)
  yield* leadSomewhere(tenantId, menu.entries)
  const [row] = yield* sql<{
    id: number
  }>`insert into sip_config.ivr_menu (tenant_id, domain_id, name, greeting, timeout, max_failures, entries)
    values (${tenantId}, ${domainId}, ${menu.name}, ${menu.greeting}, ${menu.timeout}, ${menu.max_failures},
      ${pg.json(menu.entries)}) returning id`
  // The row was just inserted in this transaction, so a 404 is a defect.
  const made = yield* Effect.orDie(get(row!.id))
  yield* changed("sip_ivr_menu", made, "created", { ...menu, domain })
  return made
})

/** Changes the given fields. */
export const update = Effect.fnUntraced(function* (id: number, to: Partial<Settings> & { readonly domain?: string }) {
  const sql = yield* SqlClient.SqlClient
  const pg = yield* PgClient.PgClient
  const before = yield* held(id)
  const after = { ...before, ...to }
  const found = differences(before, after, ["domain", "name", "greeting", "timeout", "max_failures", "entries"])
  if (found === undefined) return before
  const { id: domainId } = yield* SipDomains.claimed(before.tenant_id, after.domain)
  yield* leadSomewhere(before.tenant_id, after.entries)
  yield* sql`update sip_config.ivr_menu set domain_id = ${domainId}, name = ${after.name},
    greeting = ${after.greeting}, timeout = ${after.timeout},
    max_failures = ${after.max_failures}, entries = ${pg.json(after.entries)}, updated_at = now() where id = ${id}`
  if (domainId !== before.domain_id) yield* SipDomains.released(before.domain_id)
  yield* changed("sip_ivr_menu", before, "changed", found)
  return yield* get(id)
})

/** Deletes a menu; 409 while a DID or another menu leads to it. */
export const remove = Effect.fnUntraced(function* (id: number) {
  const sql = yield* SqlClient.SqlClient
  const row = yield* held(id)
  yield* notLedTo("ivr_menu", row)
  yield* sql`delete from sip_config.ivr_menu where id = ${id}`
  yield* SipDomains.released(row.domain_id)
  yield* changed("sip_ivr_menu", row, "deleted", { name: row.name, domain: row.domain })
})
