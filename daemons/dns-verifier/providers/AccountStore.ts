/**
 * Rows of accounts at DNS providers. Functions run in the surrounding transaction. Changes write the audit log, never
 * with credentials.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { NotFound } from "#core/http/Problem.ts"
import type { ProviderType } from "../domain-store/ProviderTypes.ts"
import { differences, note } from "../domain-store/AuditNote.ts"
import { refuseWhileAccountApplies, detachDomains, planWithCredentials } from "../domain-store/AccountChanges.ts"
import { ProviderInUse } from "./Errors.ts"

export interface Provider {
  readonly id: number
  readonly tenant_id: number
  readonly customer_id: number
  readonly name: string
  readonly type: ProviderType
  readonly has_credentials: boolean
  readonly is_default: boolean
  readonly tested_at: Date | null
  readonly test_problem: string | null
  readonly created_at: Date
  readonly updated_at: Date
}

const fields = (sql: SqlClient.SqlClient) =>
  sql`id, tenant_id, customer_id, name, type, credentials is not null as has_credentials, is_default, tested_at,
    test_problem, created_at, updated_at`

/** Maximum number of domains named in one refusal. Unit: domains. Reason: enough to act on. */
const maxNamed = 20

const noSuchProvider = new NotFound({ detail: "The account does not exist." })

/** Lists accounts, newest first: at most `limit`, without the first `skip`. */
export const list = Effect.fnUntraced(function* (
  filter: { readonly tenant_id?: number; readonly customer_id?: number },
  skip: number,
  limit: number
) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<Provider>`select ${fields(sql)} from dns_verifier.dns_provider where ${sql.and([
    sql`true`,
    ...(filter.tenant_id === undefined ? [] : [sql`tenant_id = ${filter.tenant_id}`]),
    ...(filter.customer_id === undefined ? [] : [sql`customer_id = ${filter.customer_id}`])
  ])} order by id desc offset ${skip} limit ${limit}`
})

/** Reads an account by id; 404 when it does not exist. */
export const get = Effect.fnUntraced(function* (id: number) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<Provider>`select ${fields(sql)} from dns_verifier.dns_provider where id = ${id}`
  return row ?? (yield* noSuchProvider)
})

/** Sealed credentials of the account; null when it has none. */
export const envelope = Effect.fnUntraced(function* (id: number) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{
    credentials: string | null
  }>`select credentials from dns_verifier.dns_provider where id = ${id}`
  return row?.credentials ?? null
})

const held = Effect.fnUntraced(function* (id: number) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<Provider>`select ${fields(sql)} from dns_verifier.dns_provider where id = ${id} for update`
  return row ?? (yield* noSuchProvider)
})

/** Serialises changes of a customer's default account, so that there is never more than one. */
const inTurn = ({ customer_id, tenant_id }: Pick<Provider, "tenant_id" | "customer_id">) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`select pg_advisory_xact_lock(hashtextextended(${`dns_provider ${tenant_id} ${customer_id}`}, 0))`
  )

/** Removes the default mark from the customer's accounts. */
const yieldDefault = ({ customer_id, tenant_id }: Pick<Provider, "tenant_id" | "customer_id">) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) =>
      sql`update dns_verifier.dns_provider set is_default = false, updated_at = now()
        where tenant_id = ${tenant_id} and customer_id = ${customer_id} and is_default`
  )

/**
 * Inserts an account. `credentials`: sealed. The customer's first account becomes the default unless `is_default` says
 * otherwise.
 */
export const create = Effect.fnUntraced(function* (
  made: Pick<Provider, "id" | "tenant_id" | "customer_id" | "name" | "type"> & {
    readonly is_default: boolean | undefined
  },
  credentials: string | null
) {
  const sql = yield* SqlClient.SqlClient
  yield* inTurn(made)
  const others = yield* sql`select 1 from dns_verifier.dns_provider
      where tenant_id = ${made.tenant_id} and customer_id = ${made.customer_id} and is_default`
  const isDefault = made.is_default ?? others.length === 0
  if (isDefault) yield* yieldDefault(made)
  const [row] =
    yield* sql<Provider>`insert into dns_verifier.dns_provider (id, tenant_id, customer_id, name, type, credentials,
      is_default)
    values (${made.id}, ${made.tenant_id}, ${made.customer_id}, ${made.name}, ${made.type}, ${credentials},
    ${isDefault}) returning ${fields(sql)}`
  yield* note("dns_provider", row!, "created", {
    name: made.name,
    type: made.type,
    customer_id: made.customer_id,
    is_default: isDefault,
    has_credentials: credentials !== null
  })
  return row!
})

/**
 * Updates the given fields. `credentials`: sealed; null removes them, so zones are no longer written with the account.
 */
export const update = Effect.fnUntraced(function* (
  id: number,
  to: { readonly name?: string; readonly is_default?: boolean },
  credentials?: string | null
) {
  const sql = yield* SqlClient.SqlClient
  yield* inTurn(yield* get(id))
  const before = yield* held(id)
  const after = { ...before, ...to }
  const found = differences(before, after, ["name", "is_default"])
  if (found !== undefined) {
    if (after.is_default && !before.is_default) yield* yieldDefault(before)
    yield* sql`update dns_verifier.dns_provider
      set name = ${after.name}, is_default = ${after.is_default}, updated_at = now() where id = ${id}`
    yield* note("dns_provider", before, "changed", found)
  }
  if (credentials !== undefined) {
    if (credentials === null) yield* refuseWhileAccountApplies(id)
    // A test result is valid only for the credentials it was made with.
    yield* sql`update dns_verifier.dns_provider
      set credentials = ${credentials}, tested_at = null, test_problem = null, updated_at = now() where id = ${id}`
    yield* note("dns_provider", before, credentials === null ? "credentials_removed" : "credentials_set", {
      name: after.name
    })
    // New credentials may open the zone that the old ones could not.
    if (credentials !== null) yield* planWithCredentials(id)
  }
  return yield* get(id)
})

/** Stores the result of a test, unless the credentials have changed since. */
export const tested = Effect.fnUntraced(function* (id: number, credentials: string, problem: string | null) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<Provider>`update dns_verifier.dns_provider set tested_at = now(), test_problem = ${problem}
    where id = ${id} and credentials = ${credentials} returning ${fields(sql)}`
  if (row !== undefined) yield* note("dns_provider", row, "tested", { ok: problem === null })
})

/** Deletes the account. Fails with 409 while domains use it, unless `force` is set. */
export const remove = Effect.fnUntraced(function* (id: number, force: boolean) {
  const sql = yield* SqlClient.SqlClient
  const row = yield* held(id)
  const domains = yield* sql<{
    id: number
    name: string
    count: number
  }>`select id, name, count(*) over ()::int as count
    from dns_verifier.domain where dns_provider_id = ${id} order by name limit ${maxNamed}`
  if (domains.length > 0 && !force) {
    return yield* new ProviderInUse({
      count: domains[0]!.count,
      domains: domains.map(({ id, name }) => ({ id, name })),
      detail: "Give the domains another account first, or send force=true to leave them without an account."
    })
  }
  yield* refuseWhileAccountApplies(id)
  yield* detachDomains(id)
  yield* sql`delete from dns_verifier.dns_provider where id = ${id}`
  yield* note("dns_provider", row, "deleted", { name: row.name, type: row.type, domains: domains[0]?.count ?? 0 })
})
