/**
 * Tables of mail domains, their keys and records. Functions run in the surrounding transaction with its role, so a
 * tenant's transaction sees and changes only its own rows.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import {
  type MailDomain,
  MailDomainChanged,
  MailDomainCreated,
  MailDomainDeleted,
  type MailRecord,
  type RecordStatus
} from "#core/contracts/MailDomains.ts"
import { Events } from "#core/events/Events.ts"
import { NotFound } from "#core/http/Problem.ts"
import { DomainPending } from "#core/ownership/Errors.ts"
import { dkimName, type MailServer, recordsOf } from "./DnsRecords.ts"
import type { NewKey } from "./DkimKeys.ts"

/** Source name of emitted events. */
export const source = "mail-admin"

export type KeyState = "active" | "next" | "retired"

export interface Domain {
  readonly id: number
  readonly tenant_id: number
  readonly customer_id: number
  readonly domain: string
  /** Whether the tenant holds the name, so that the mail server serves the domain. */
  readonly proven: boolean
  /** Token of the challenge. */
  readonly token: string | null
  readonly version: number
  readonly created_at: Date
  readonly updated_at: Date
  readonly keys: ReadonlyArray<{ readonly selector: string; readonly state: KeyState; readonly public_key: string }>
  /** `checked_at` in the form that Postgres writes in JSON. */
  readonly records: ReadonlyArray<MailRecord & { readonly status: RecordStatus; readonly checked_at: string | null }>
}

const selected = (sql: SqlClient.SqlClient) =>
  sql`select d.id, d.tenant_id, d.customer_id, d.domain, d.proven, d.version,
    (select c.token from core.name_claim c
       where c.kind = 'mail' and c.tenant_id = d.tenant_id and c.name = d.domain) as token,
    d.created_at, d.updated_at,
    (select coalesce(json_agg(json_build_object(
         'selector', k.selector, 'state', k.state, 'public_key', k.public_key) order by k.id), '[]')
       from mail_admin.dkim_key k where k.domain_id = d.id) as keys,
    (select coalesce(json_agg(json_build_object(
         'type', r.type, 'name', r.name, 'content', r.content, 'priority', r.priority,
         'status', r.status, 'checked_at', r.checked_at) order by r.id), '[]')
       from mail_admin.dns_record r where r.domain_id = d.id) as records
    from mail_admin.domain d`

export const noSuchDomain = new NotFound({ detail: "The mail domain does not exist." })

/** Finds a domain by id, or fails with 404. */
export const get = Effect.fnUntraced(function* (id: number) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<Domain>`${selected(sql)} where d.id = ${id}`
  return row ?? (yield* noSuchDomain)
})

/** Like `get`, and locks the domain until the transaction ends, so that other changes of the domain wait. */
export const held = Effect.fnUntraced(function* (id: number) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`select 1 from mail_admin.domain where id = ${id} for update`
  return yield* get(id)
})

/** Fails when the domain is not proven yet: its addresses may belong to another tenant. */
export const refusePending = ({ proven }: Domain) =>
  proven
    ? Effect.void
    : Effect.fail(new DomainPending({ detail: "Publish the TXT record of the domain's challenge first." }))

/** Domains, newest first, at most `limit`; with `proven` only those in this state. */
export const list = Effect.fnUntraced(function* (before: number | undefined, limit: number, proven?: boolean) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<Domain>`${selected(sql)} where ${before === undefined ? sql`true` : sql`d.id < ${before}`}
      and ${proven === undefined ? sql`true` : sql`d.proven = ${proven}`}
    order by d.id desc limit ${limit}`
})

/** Domains with greater ids, oldest first, at most `limit`. */
export const listAfter = Effect.fnUntraced(function* (after: number, limit: number) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<Domain>`${selected(sql)} where d.id > ${after} order by d.id limit ${limit}`
})

/** Inserts the domain row only. Returns undefined when the tenant already has the name. */
export const insert = Effect.fnUntraced(function* (
  tenantId: number,
  customerId: number,
  domain: string,
  proven: boolean
) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ id: number }>`insert into mail_admin.domain (tenant_id, customer_id, domain, proven)
    values (${tenantId}, ${customerId}, ${domain}, ${proven})
    on conflict (tenant_id, domain) do nothing returning id`
  return row?.id
})

export const insertKey = Effect.fnUntraced(function* (
  domain: { readonly id: number; readonly tenant_id: number },
  selector: string,
  state: KeyState,
  key: NewKey
) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`insert into mail_admin.dkim_key (id, tenant_id, domain_id, selector, private_key, public_key, state)
    values (${key.id}, ${domain.tenant_id}, ${domain.id}, ${selector}, ${key.privateKey}, ${key.publicKey}, ${state})`
})

/**
 * Updates the stored records to those the domain needs now. Changed records get the status `unknown` until they are
 * checked. A record that waits for a setting again stays as it is. Returns whether anything changed.
 */
export const writeRecords = Effect.fnUntraced(function* (id: number, server: MailServer) {
  const sql = yield* SqlClient.SqlClient
  const { domain, keys, records, tenant_id } = yield* get(id)
  const wanted = recordsOf(
    domain,
    server,
    keys.map(({ public_key, selector }) => ({ selector, publicKey: public_key }))
  )
  const gone = records.filter(
    (old) => old.name.endsWith(dkimName) && !wanted.some((record) => isSamePlace(record, old))
  )
  const changed = wanted.filter((record) => !records.some((old) => isSamePlace(record, old) && isSame(record, old)))
  for (const { name, type } of gone)
    yield* sql`delete from mail_admin.dns_record where domain_id = ${id} and type = ${type} and name = ${name}`
  for (const { content, name, priority, type } of changed) {
    yield* sql`insert into mail_admin.dns_record (tenant_id, domain_id, type, name, content, priority)
      values (${tenant_id}, ${id}, ${type}, ${name}, ${content}, ${priority})
      on conflict (domain_id, type, name) do update set
        content = excluded.content, priority = excluded.priority, status = 'unknown', checked_at = null`
  }
  return gone.length + changed.length > 0
})

const isSamePlace = (a: MailRecord, b: MailRecord) => a.type === b.type && a.name === b.name
const isSame = (a: MailRecord, b: MailRecord) => a.content === b.content && a.priority === b.priority

/** Increases the version, emits an event and returns the current domain. */
export const touched = Effect.fnUntraced(function* (id: number) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`update mail_admin.domain set version = nextval('mail_admin.domain_version'), updated_at = now()
    where id = ${id}`
  const domain = yield* get(id)
  if (domain.proven) yield* tell(MailDomainChanged, domain)
  return domain
})

/** Other daemons learn of a domain once it is proven. */
export const tellCreated = (domain: Domain) => tell(MailDomainCreated, domain)

/** Lets the mail server serve the tenant's domain. Does nothing when it does so already, or without such a domain. */
export const setProven = Effect.fnUntraced(function* (tenantId: number, name: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ id: number }>`update mail_admin.domain
    set proven = true, version = nextval('mail_admin.domain_version'), updated_at = now()
    where tenant_id = ${tenantId} and domain = ${name} and not proven returning id`
  if (row === undefined) return
  yield* tellCreated(yield* get(row.id))
})

/** Deletes a domain with its keys, records and aliases. Its mailboxes must be deleted before. */
export const remove = Effect.fnUntraced(function* (domain: Domain) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ version: number }>`select nextval('mail_admin.domain_version')::int as version`
  yield* sql`delete from mail_admin.domain where id = ${domain.id}`
  if (domain.proven) yield* tell(MailDomainDeleted, { ...domain, version: row!.version, records: [] }, "deleted")
})

const tell = (event: typeof MailDomainCreated, row: Domain, state: MailDomain["state"] = "active") =>
  Effect.flatMap(Events, (events) =>
    events.emit(
      event,
      source,
      {
        domain_id: row.id,
        tenant_id: row.tenant_id,
        customer_id: row.customer_id,
        domain: row.domain,
        state,
        records: row.records.map(({ content, name, priority, type }) => ({ type, name, content, priority })),
        version: row.version
      },
      { tenantId: row.tenant_id }
    )
  )
