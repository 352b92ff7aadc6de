/** Rows of bank accounts. Every function runs in the surrounding transaction. */
import { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { InvalidRequest, NotFound } from "#core/http/Problem.ts"
import { beginningWith, containing } from "#core/sql/Like.ts"
import { atomically } from "#core/sql/Sql.ts"
import { type AccountRow, columns } from "./AccountRow.ts"
import { IbanTaken, KeysInUse, StepUnderWay } from "./Errors.ts"
import type { KeyStatus } from "./FieldSchemas.ts"
import { note } from "./Note.ts"

/** Fields that a person sets. */
export type AccountFields = Pick<
  AccountRow,
  | "name"
  | "bic"
  | "holder"
  | "host_id"
  | "partner_id"
  | "user_id"
  | "server_url"
  | "ebics_version"
  | "signature_version"
  | "key_bits"
  | "digest_kind"
  | "order_types"
  | "daily_schedule"
  | "intraday_schedule"
  | "fetch_enabled"
>

export interface Filter {
  readonly tenant_id?: number
  readonly q?: string
  readonly key_status?: KeyStatus
  readonly active?: boolean
}

export const missing = new NotFound({ detail: "The account does not exist." })

/** Lists accounts, newest first. */
export const list = Effect.fnUntraced(function* (filter: Filter, before: number | undefined, limit: number) {
  const sql = yield* SqlClient.SqlClient
  const { q } = filter
  return yield* sql<AccountRow>`select ${columns(sql)} from bank_fetcher.account where ${sql.and([
    sql`true`,
    ...(filter.tenant_id === undefined ? [] : [sql`tenant_id = ${filter.tenant_id}`]),
    ...(filter.key_status === undefined ? [] : [sql`key_status = ${filter.key_status}`]),
    ...(filter.active === undefined ? [] : [sql`active = ${filter.active}`]),
    ...(before === undefined ? [] : [sql`seq < ${before}`]),
    ...(q === undefined
      ? []
      : [sql`(name ilike ${containing(q)} or iban like ${beginningWith(q.replace(/\s/g, "").toUpperCase())})`])
  ])} order by seq desc limit ${limit}`
})

export const get = Effect.fnUntraced(function* (id: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<AccountRow>`select ${columns(sql)} from bank_fetcher.account where id = ${id}`
  return row ?? (yield* missing)
})

/** Reads an account and locks its row until the end of the transaction. */
export const held = Effect.fnUntraced(function* (id: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<AccountRow>`select ${columns(sql)} from bank_fetcher.account where id = ${id} for update`
  return row ?? (yield* missing)
})

/** The active account of this tenant with this IBAN (without blanks, upper case); undefined when there is none. */
export const accountByIban = Effect.fnUntraced(function* (tenantId: number, iban: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ id: string; name: string; currency: string }>`
    select id, name, currency from bank_fetcher.account where tenant_id = ${tenantId} and iban = ${iban} and active`
  return row
})

const ibanTaken = new IbanTaken({ detail: "Deactivate the other account first, or use it." })

const refuseTaken = <A, R>(write: Effect.Effect<A, SqlError.SqlError, R>) =>
  Effect.catchIf(
    write,
    (error) => error.reason._tag === "UniqueViolation",
    () => Effect.fail(ibanTaken)
  )

export const create = Effect.fnUntraced(function* (
  tenantId: number,
  made: AccountFields & Pick<AccountRow, "iban" | "currency">
) {
  const sql = yield* SqlClient.SqlClient
  const pg = yield* PgClient.PgClient
  const insert = sql<{ id: string }>`insert into bank_fetcher.account (tenant_id, name, iban, bic, currency, holder,
      host_id, partner_id, user_id, server_url, ebics_version, signature_version, key_bits, digest_kind, order_types,
      daily_schedule, intraday_schedule, fetch_enabled)
    values (${tenantId}, ${made.name}, ${made.iban}, ${made.bic}, ${made.currency}, ${made.holder}, ${made.host_id},
      ${made.partner_id}, ${made.user_id}, ${made.server_url}, ${made.ebics_version}, ${made.signature_version},
      ${made.key_bits}, ${made.digest_kind}, ${made.order_types === null ? null : pg.json(made.order_types)},
      ${made.daily_schedule}, ${made.intraday_schedule}, ${made.fetch_enabled}) returning id`
  const [row] = yield* refuseTaken(insert)
  const account = yield* Effect.catchTag(get(row!.id), "NotFound", Effect.die)
  yield* note(account, "created", { name: account.name, iban: account.iban, ebics: account.host_id !== null })
  return account
})

/** Fields that belong to the keys which the bank has. */
const ofTheKeys = ["host_id", "partner_id", "user_id", "server_url", "ebics_version", "signature_version"] as const

/** Fields of a change that the keys forbid. Pure. */
export const lockedFields = (row: AccountRow, to: Partial<AccountFields>): ReadonlyArray<string> => {
  const differs = (field: keyof AccountFields) => to[field] !== undefined && to[field] !== row[field]
  const sent = row.ini_begun_at !== null || row.ini_sent_at !== null
  return [
    ...(sent ? ofTheKeys.filter(differs) : []),
    ...(row.key_status !== "pending" && differs("key_bits") ? ["key_bits"] : [])
  ]
}

/** The EBICS fields are given all or none. Pure. */
export const problemsOfIds = (row: AccountFields, to: Partial<AccountFields>) => {
  const ids = ["host_id", "partner_id", "user_id", "server_url"] as const
  const after = { ...row, ...to }
  const given = ids.filter((field) => after[field] !== null)
  return given.length === 0 || given.length === ids.length
    ? []
    : ids
        .filter((field) => after[field] === null)
        .map((field) => ({ field: `payload.${field}`, message: "is required when the other EBICS fields are given" }))
}

const audited = ["name", ...ofTheKeys, "bic", "holder", "key_bits", "digest_kind", "daily_schedule"] as const

export const update = Effect.fnUntraced(function* (id: string, to: Partial<AccountFields>) {
  const sql = yield* SqlClient.SqlClient
  const pg = yield* PgClient.PgClient
  const before = yield* held(id)
  const locked = lockedFields(before, to)
  if (locked.length > 0) {
    return yield* new KeysInUse({
      fields: locked,
      detail: "The bank has the keys with these values. POST keys/reset first; the bank must reset the user as well."
    })
  }
  if (before.busy) return yield* new StepUnderWay({ detail: "Try again when the step has ended." })
  const errors = problemsOfIds(before, to)
  if (errors.length > 0) return yield* new InvalidRequest({ errors })
  const after = { ...before, ...to }
  const chosen = to.ebics_version === undefined ? before.version_by_bank : false
  yield* sql`update bank_fetcher.account set name = ${after.name}, bic = ${after.bic}, holder = ${after.holder},
    host_id = ${after.host_id}, partner_id = ${after.partner_id}, user_id = ${after.user_id},
    server_url = ${after.server_url}, ebics_version = ${after.ebics_version}, version_by_bank = ${chosen},
    signature_version = ${after.signature_version}, key_bits = ${after.key_bits}, digest_kind = ${after.digest_kind},
    digest_tried = digest_tried and digest_kind = ${after.digest_kind},
    order_types = ${after.order_types === null ? null : pg.json(after.order_types)},
    daily_schedule = ${after.daily_schedule}, intraday_schedule = ${after.intraday_schedule},
    fetch_enabled = ${after.fetch_enabled}, updated_at = now() where id = ${id}`
  const changes = [...audited, "intraday_schedule" as const, "fetch_enabled" as const]
    .filter((field) => before[field] !== after[field])
    .map((field) => [field, { from: before[field], to: after[field] }])
  yield* note(before, "changed", {
    ...Object.fromEntries(changes),
    ...(to.order_types === undefined ? {} : { order_types: "changed" })
  })
  return yield* get(id)
})

/** Fetches no more. The keys stay, so that a reactivation needs no letters. */
export const deactivate = Effect.fnUntraced(function* (id: string) {
  const sql = yield* SqlClient.SqlClient
  const row = yield* held(id)
  if (!row.active) return
  yield* sql`update bank_fetcher.account set active = false, updated_at = now() where id = ${id}`
  yield* note(row, "deactivated", { name: row.name, iban: row.iban })
})

export const reactivate = Effect.fnUntraced(function* (id: string) {
  const sql = yield* SqlClient.SqlClient
  const row = yield* held(id)
  if (!row.active) {
    yield* refuseTaken(sql`update bank_fetcher.account set active = true, updated_at = now() where id = ${id}`)
    yield* note(row, "reactivated", { name: row.name, iban: row.iban })
  }
  return yield* get(id)
})

/** Fetching waits for a person from now on. `reason`: a word such as `bank_keys_changed`. */
export const stop = (id: string, reason: string) =>
  atomically(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [row] = yield* sql<{ id: string; tenant_id: number }>`update bank_fetcher.account
        set stopped = ${reason}, updated_at = now() where id = ${id} and stopped is distinct from ${reason}
        returning id, tenant_id`
      if (row !== undefined) yield* note(row, "stopped", { reason })
    })
  )

/** What the bank allows the account's user. */
export const storePermitted = Effect.fnUntraced(function* (
  id: string,
  permitted: NonNullable<AccountRow["permitted"]>
) {
  const sql = yield* SqlClient.SqlClient
  const pg = yield* PgClient.PgClient
  const row = yield* held(id)
  yield* sql`update bank_fetcher.account set permitted = ${pg.json(permitted)}, updated_at = now() where id = ${id}`
  yield* note(row, "permissions_read", { order_types: permitted.order_types, services: permitted.services.length })
  return yield* get(id)
})
