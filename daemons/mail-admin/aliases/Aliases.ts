/**
 * Aliases and the rules they obey. Functions run in the surrounding transaction with the role it has; changes write the
 * audit log.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { NotFound } from "#core/http/Problem.ts"
import { AddressTaken, AliasLoop, Domains, free, note } from "../domains/Exports.ts"

export interface Alias {
  readonly id: number
  readonly tenant_id: number
  readonly domain_id: number
  /** Local part. */
  readonly source: string
  /** Whole address. */
  readonly destination: string
  readonly created_at: Date
}

const fields = (sql: SqlClient.SqlClient) => sql`id, tenant_id, domain_id, source, destination, created_at`

/** Those of a domain, newest first, at most `limit`. */
export const list = Effect.fnUntraced(function* (domainId: number, before: number | undefined, limit: number) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<Alias>`select ${fields(sql)} from mail_admin.alias
    where domain_id = ${domainId} and ${before === undefined ? sql`true` : sql`id < ${before}`} order by id desc limit ${limit}`
})

/** By number, or 404. */
export const get = Effect.fnUntraced(function* (id: number) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<Alias>`select ${fields(sql)} from mail_admin.alias where id = ${id}`
  return row ?? (yield* new NotFound({ detail: "There is no such alias." }))
})

/**
 * Makes one. A source may have several destinations, and no mailbox: the alias would take its mail. A loop is refused
 * that leads through aliases of the same tenant; through others' it is the mail server that notices.
 */
export const create = Effect.fnUntraced(function* (domainId: number, source: string, destination: string) {
  const sql = yield* SqlClient.SqlClient
  const domain = yield* Domains.held(domainId)
  yield* free(domainId, source, "alias")
  // Two who close a loop together wait for each other.
  yield* sql`select pg_advisory_xact_lock(hashtext('mail_admin.alias'), ${domain.tenant_id})`
  if (yield* leadsTo(domain.tenant_id, destination, `${source}@${domain.domain}`)) {
    return yield* new AliasLoop({ detail: "Mail to this alias would come back to it." })
  }
  const [row] = yield* sql<Alias>`insert into mail_admin.alias (tenant_id, domain_id, source, destination)
    values (${domain.tenant_id}, ${domainId}, ${source}, ${destination}) on conflict do nothing returning ${fields(sql)}`
  if (row === undefined) return yield* new AddressTaken({ detail: "This alias is there already." })
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
 * Whether mail to `from` reaches `to` by the aliases of the tenant. `union` leaves out what was seen, so a circle ends.
 */
const leadsTo = Effect.fnUntraced(function* (tenant: number, from: string, to: string) {
  const sql = yield* SqlClient.SqlClient
  const found = yield* sql`with recursive reached (address) as (
      select ${from}::text
      union
      select a.destination from reached r
        join mail_admin.domain d on d.domain = split_part(r.address, '@', 2) and d.tenant_id = ${tenant}
        join mail_admin.alias a on a.domain_id = d.id and a.source = split_part(r.address, '@', 1)
    ) select 1 from reached where address = ${to} limit 1`
  return found.length > 0
})
