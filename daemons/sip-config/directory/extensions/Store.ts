/**
 * Reads and writes extensions. Functions run in the surrounding transaction with its role. Changes write audit entries
 * and are announced to the projections.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { SipExtensionChanged, SipExtensionCreated, SipExtensionDeleted } from "#core/contracts/Extensions.ts"
import type { ClaimState } from "#core/contracts/NameClaims.ts"
import { Events } from "#core/events/Events.ts"
import { NotFound } from "#core/http/Problem.ts"
import { NumberTaken } from "../Errors.ts"
import { changed, differences, inTurn, note, orTaken } from "../Change.ts"
import type { Sealed } from "../Credentials.ts"
import * as SipDomains from "../SipDomains.ts"
import { noLine, notLedTo, notRung } from "../Uses.ts"

export interface Extension {
  readonly id: number
  readonly tenant_id: number
  readonly domain_id: number
  readonly domain: string
  readonly domain_state: ClaimState
  /** Number of the extension; letters are in lower case. */
  readonly extension: string
  readonly name: string
  readonly user_id: number | null
  readonly enabled: boolean
  readonly created_at: Date
  readonly updated_at: Date
}

const fields = (sql: SqlClient.SqlClient) =>
  sql`e.id, e.tenant_id, e.domain_id, d.domain, case when d.proven then 'proven' else 'pending' end as domain_state,
    e.extension, e.name, e.user_id, e.enabled, e.created_at, e.updated_at`

const tables = (sql: SqlClient.SqlClient) =>
  sql`sip_config.extension e join sip_config.sip_domain d on d.id = e.domain_id`

export interface Filter {
  readonly tenant_id?: number
  readonly domain?: string
  readonly user_id?: number
  readonly number?: string
}

/** Extensions, newest first, at most `limit`. */
export const list = Effect.fnUntraced(function* (filter: Filter, before: number | undefined, limit: number) {
  const sql = yield* SqlClient.SqlClient
  const { domain, number, tenant_id: tenant, user_id: user } = filter
  return yield* sql<Extension>`select ${fields(sql)} from ${tables(sql)} where ${sql.and([
    sql`true`,
    ...(tenant === undefined ? [] : [sql`e.tenant_id = ${tenant}`]),
    ...(domain === undefined ? [] : [sql`d.domain = ${domain}`]),
    ...(user === undefined ? [] : [sql`e.user_id = ${user}`]),
    ...(number === undefined ? [] : [sql`lower(e.extension) = ${number}`]),
    ...(before === undefined ? [] : [sql`e.id < ${before}`])
  ])} order by e.id desc limit ${limit}`
})

/** Extension with this ID, or 404. */
export const get = Effect.fnUntraced(function* (id: number) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<Extension>`select ${fields(sql)} from ${tables(sql)} where e.id = ${id}`
  return row ?? (yield* missing)
})

/** Extension with this ID, with the tenant's lock held until the transaction ends; 404 when missing. */
const held = Effect.fnUntraced(function* (id: number) {
  yield* inTurn((yield* get(id)).tenant_id)
  return yield* get(id)
})

/** User to whom an extension belongs. */
export interface Owner {
  readonly tenantId: number
  readonly userId: number
}

const belongsTo = (sql: SqlClient.SqlClient, { tenantId, userId }: Owner) =>
  sql`e.tenant_id = ${tenantId} and e.user_id = ${userId}`

/** Extensions of one user, sorted by number. */
export const ownedBy = Effect.fnUntraced(function* (owner: Owner) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<Extension>`select ${fields(sql)} from ${tables(sql)} where ${belongsTo(sql, owner)}
    order by e.extension, e.id limit ${mostOwned}`
})

/** Maximum number of extensions returned for one user. Reason: users choose from a list. */
const mostOwned = 50

/**
 * An extension with its sealed password; with `owner`, only if it belongs to that user. The caller writes the audit
 * entry.
 */
export const withPassword = Effect.fnUntraced(function* (id: number, owner?: Owner) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<
    Extension & { readonly password: string }
  >`select ${fields(sql)}, e.password from ${tables(sql)}
    where ${sql.and([sql`e.id = ${id}`, ...(owner === undefined ? [] : [belongsTo(sql, owner)])])}`
  return row
})

/**
 * Extension with its sealed password; writes an audit entry that the password was shown. With `owner`: 404 for
 * extensions of other users.
 */
export const shown = Effect.fnUntraced(function* (id: number, owner?: Owner) {
  const row = yield* withPassword(id, owner)
  if (row === undefined) return yield* missing
  yield* note("sip_extension", row, "config_shown", { extension: row.extension, domain: row.domain })
  return row
})

/** Fields of a new extension; number and domain are normalised. */
export interface NewExtension {
  readonly tenantId: number
  readonly domain: string
  readonly extension: string
  readonly name: string
  readonly userId: number | null
  readonly enabled: boolean
}

export const create = Effect.fnUntraced(function* (
  { domain, enabled, extension, name, tenantId, userId }: NewExtension,
  password: Sealed
) {
  const sql = yield* SqlClient.SqlClient
  yield* inTurn(tenantId)
  const { id: domainId } = yield* SipDomains.claimed(tenantId, domain)
  yield* SipDomains.notGroup(domainId, extension)
  yield* orTaken(
    sql`insert into sip_config.extension (id, tenant_id, domain_id, extension, name, user_id, password, enabled)
    values (${password.id}, ${tenantId}, ${domainId}, ${extension}, ${name}, ${userId}, ${password.envelope},
      ${enabled})`,
    taken
  )
  // The row was just inserted in this transaction, so a 404 is a defect.
  const made = yield* Effect.orDie(get(password.id))
  yield* changed("sip_extension", made, "created", { extension, domain, user_id: userId })
  yield* emit(SipExtensionCreated, made, "active")
  return made
})

/** Fields of an extension that can change. */
export interface Change {
  readonly domain?: string
  readonly extension?: string
  readonly name?: string
  readonly user_id?: number | null
  readonly enabled?: boolean
}

/** New sealed password for a change of owner. */
export interface HandOver {
  readonly envelope: string
  /** True: replace the password also when the extension had no owner before, because the caller may not know it. */
  readonly always: boolean
}

/**
 * Changes the given fields. `password`: sealed envelope. Number and domain cannot change while a ring group contains
 * the extension. A change of owner replaces the password, because the previous owner has seen it.
 */
export const update = Effect.fnUntraced(function* (id: number, to: Change, password?: string, handOver?: HandOver) {
  const sql = yield* SqlClient.SqlClient
  const before = yield* held(id)
  const after = { ...before, ...to }
  const found = differences(before, after, ["extension", "domain", "name", "user_id", "enabled"])
  if (found !== undefined) {
    const moves = found["extension"] !== undefined || found["domain"] !== undefined
    if (moves) yield* notRung(before)
    const { id: domainId } = yield* SipDomains.claimed(before.tenant_id, after.domain)
    if (moves) yield* SipDomains.notGroup(domainId, after.extension)
    yield* orTaken(
      sql`update sip_config.extension set domain_id = ${domainId}, extension = ${after.extension}, name = ${after.name},
      user_id = ${after.user_id}, enabled = ${after.enabled}, updated_at = now() where id = ${id}`,
      taken
    )
    if (domainId !== before.domain_id) yield* SipDomains.released(before.domain_id)
    yield* changed("sip_extension", before, "changed", found)
    yield* emit(SipExtensionChanged, yield* get(id), "active")
  }
  const next =
    password ??
    (handOver !== undefined && found?.["user_id"] !== undefined && (handOver.always || before.user_id !== null)
      ? handOver.envelope
      : undefined)
  return yield* next === undefined ? get(id) : setPassword(id, next)
})

/** Replaces the sealed password. */
export const setPassword = Effect.fnUntraced(function* (id: number, password: string) {
  const sql = yield* SqlClient.SqlClient
  const row = yield* held(id)
  yield* sql`update sip_config.extension set password = ${password}, updated_at = now() where id = ${id}`
  yield* changed("sip_extension", row, "password_set", { extension: row.extension, domain: row.domain })
  return yield* get(id)
})

/** Deletes an extension; 409 while a DID, menu, ring group or line references it. */
export const remove = Effect.fnUntraced(function* (id: number) {
  const sql = yield* SqlClient.SqlClient
  const row = yield* held(id)
  yield* notLedTo("extension", row)
  yield* notRung(row)
  yield* noLine("extension_id", row)
  yield* sql`delete from sip_config.extension where id = ${id}`
  yield* SipDomains.released(row.domain_id)
  yield* changed("sip_extension", row, "deleted", { extension: row.extension, domain: row.domain })
  yield* emit(SipExtensionDeleted, row, "deleted")
})

/** Emits the state of the extension with the next version. */
const emit = Effect.fnUntraced(function* (
  event: typeof SipExtensionChanged,
  { domain, enabled, extension, id, name, tenant_id, user_id }: Extension,
  state: "active" | "deleted"
) {
  const sql = yield* SqlClient.SqlClient
  const events = yield* Events
  const [next] = yield* sql<{ version: number }>`select nextval('sip_config.extension_version')::int as version`
  const { version } = next!
  yield* sql`update sip_config.extension set version = ${version} where id = ${id}`
  const data = { extension_id: id, tenant_id, extension, name, domain, user_id, enabled, state, version }
  yield* events.emit(event, "sip-config", data, { tenantId: tenant_id })
})

const taken = new NumberTaken({ detail: "An extension of the domain has this number." })
const missing = new NotFound({ detail: "The extension does not exist." })
