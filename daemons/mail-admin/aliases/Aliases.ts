/**
 * Table of aliases and their rules. Functions run in the surrounding transaction with its role; changes write the audit
 * log.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { NotFound } from "#core/http/Problem.ts"
import { AddressTaken, AliasLoop, Domains, free, note } from "../domains/Exports.ts"

export interface Alias {
  readonly id: number
  readonly tenant_id: number
  readonly domain_id: number
  /** Local part of the alias address. */
  readonly source: string
  /** Full destination address. */
  readonly destination: string
  readonly created_at: Date
}

const fields = (sql: SqlClient.SqlClient) => sql`id, tenant_id, domain_id, source, destination, created_at`

/** Aliases of a domain, newest first, at most `limit`. */
export const list = Effect.fnUntraced(function* (domainId: number, before: number | undefined, limit: number) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<Alias>`select ${fields(sql)} from mail_admin.alias
    where domain_id = ${domainId} and ${before === undefined ? sql`true` : sql`id < ${before}`}
    order by id desc limit ${limit}`
})

/** Finds an alias by id, or fails with 404. */
export const get = Effect.fnUntraced(function* (id: number) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<Alias>`select ${fields(sql)} from mail_admin.alias where id = ${id}`
  return row ?? (yield* new NotFound({ detail: "The alias does not exist." }))
})

/**
 * Creates an alias. A source may have several destinations, but must not be the address of a mailbox, because the alias
 * would take its mail. Refuses a loop through aliases of the same tenant. A loop through other tenants' aliases is
 * detected by the mail server.
 */
export const create = Effect.fnUntraced(function* (domainId: number, source: string, destination: string) {
  const sql = yield* SqlClient.SqlClient
  const domain = yield* Domains.held(domainId)
  yield* Domains.refusePending(domain)
  yield* free(domainId, source, "alias")
  // Serialises changes of the tenant, so that two requests cannot complete a loop together.
  yield* sql`select pg_advisory_xact_lock(hashtext('mail_admin.alias'), ${domain.tenant_id})`
  if (yield* leadsTo(domain.tenant_id, destination, `${source}@${domain.domain}`)) {
    return yield* new AliasLoop({ detail: "Mail to this alias would return to the alias. Choose another destination." })
  }
  const [row] = yield* sql<Alias>`insert into mail_admin.alias (tenant_id, domain_id, source, destination)
    values (${domain.tenant_id}, ${domainId}, ${source}, ${destination})
    on conflict do nothing returning ${fields(sql)}`
  if (row === undefined) return yield* new AddressTaken({ detail: "This alias exists already." })
  yield* note("mail_alias", row, "created", { source: `${source}@${domain.domain}`, destination })
  return row
})

export const remove = Effect.fnUntraced(function* (id: number) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<Alias>`delete from mail_admin.alias where id = ${id} returning ${fields(sql)}`
  if (row === undefined) return yield* get(id)
  yield* note("mail_alias", row, "deleted", { source: row.source, destination: row.destination })
})

/**
 * Whether mail to `from` reaches `to` through the tenant's aliases. `union` drops addresses already found, so the query
 * ends on a loop.
 */
const leadsTo = Effect.fnUntraced(function* (tenant: number, from: string, to: string) {
  const sql = yield* SqlClient.SqlClient
  const found = yield* sql`with recursive reached (address) as (
      select ${from}::text
      union
      select a.destination from reached r
        join mail_admin.domain d on d.domain = split_part(r.address, '@', 2) and d.tenant_id = ${tenant} and d.proven
        join mail_admin.alias a on a.domain_id = d.id and a.source = split_part(r.address, '@', 1)
    ) select 1 from reached where address = ${to} limit 1`
  return found.length > 0
})
