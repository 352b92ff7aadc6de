/**
 * Table of accounts. Functions run in the surrounding transaction with its role, so a tenant's transaction sees and
 * changes only its own users. Every change emits an event.
 */
import { Effect, Schema } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import type { Role } from "#core/auth/Roles.ts"
import { type User as UserSchema, UserChanged, UserCreated, UserDeleted } from "#core/contracts/Identity.ts"
import { Events } from "#core/events/Events.ts"

/** Source name of emitted events. */
export const source = "identity"

export interface Account {
  readonly id: number
  readonly tenant_id: number
  /** Normalised (EmailAddress). */
  readonly email: string
  readonly name: string
  readonly role: Role
  readonly locale: string
  /** Name of the IANA database; null: as the reader's device. */
  readonly time_zone: string | null
  readonly state: "active" | "suspended"
  readonly version: number
  readonly created_at: Date
  readonly updated_at: Date
  readonly last_login_at: Date | null
}

/** An account with the fields that signing in needs. */
export interface Credentials extends Account {
  readonly password_hash: string | null
  readonly tenant_state: "active" | "suspended"
}

/** An account of any tenant already has this address. */
export class EmailTaken extends Schema.TaggedError<EmailTaken>()("EmailTaken", {}) {}

const fields = (sql: SqlClient.SqlClient) =>
  sql`a.id, a.tenant_id, a.email, a.name, a.role, a.locale, a.time_zone, a.state, a.version,
    a.created_at, a.updated_at, a.last_login_at`

/** Finds an account by normalised address. As platform only, because a user names no tenant when signing in. */
export const byEmail = Effect.fnUntraced(function* (email: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<Credentials>`select ${fields(sql)}, a.password_hash, t.state as tenant_state
    from identity.account a join identity.tenant t on t.id = a.tenant_id where a.email = ${email}`
  return row
})

/** Finds an account by id, with the fields that signing in needs. */
export const credentialsOf = Effect.fnUntraced(function* (id: number) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<Credentials>`select ${fields(sql)}, a.password_hash, t.state as tenant_state
    from identity.account a join identity.tenant t on t.id = a.tenant_id where a.id = ${id}`
  return row
})

/** Finds an account by id. */
export const get = Effect.fnUntraced(function* (id: number) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<Account>`select ${fields(sql)} from identity.account a where a.id = ${id}`
  return row
})

export interface NewAccount {
  readonly tenantId: number
  readonly email: string
  readonly name: string
  readonly role: Role
  readonly locale: string
  /** Default: null. */
  readonly timeZone?: string | null
  readonly passwordHash?: string
}

/** Creates an account. Fails with `EmailTaken`. */
export const create = Effect.fnUntraced(function* (account: NewAccount) {
  const sql = yield* SqlClient.SqlClient
  const { email, locale, name, passwordHash, role, tenantId, timeZone = null } = account
  const [row] = yield* sql<Account>`insert into identity.account as a
      (tenant_id, email, name, role, locale, time_zone, password_hash, password_changed_at)
    values (${tenantId}, ${email}, ${name}, ${role}, ${locale}, ${timeZone},
      ${passwordHash ?? null}, ${passwordHash === undefined ? null : new Date()})
    on conflict (email) do nothing returning ${fields(sql)}`
  if (row === undefined) return yield* new EmailTaken()
  yield* emitUser(UserCreated, row, row.state)
  return row
})

/** Fields of an account that can change. */
export interface Change {
  readonly email?: string
  readonly name?: string
  readonly role?: Role
  readonly locale?: string
  /** Null: as the reader's device. */
  readonly time_zone?: string | null
  readonly state?: "active" | "suspended"
  readonly passwordHash?: string
}

/** Changes the given fields. Returns undefined when the account does not exist. Fails with `EmailTaken`. */
export const change = Effect.fnUntraced(function* (id: number, to: Change) {
  const sql = yield* SqlClient.SqlClient
  const update = sql<Account>`update identity.account as a set
      email = coalesce(${to.email ?? null}, email), name = coalesce(${to.name ?? null}, name),
      role = coalesce(${to.role ?? null}, role), locale = coalesce(${to.locale ?? null}, locale),
      time_zone = case when ${to.time_zone === undefined} then time_zone else ${to.time_zone ?? null}::text end,
      state = coalesce(${to.state ?? null}, state), password_hash = coalesce(${to.passwordHash ?? null}, password_hash),
      password_changed_at = case when ${to.passwordHash ?? null}::text is null then password_changed_at else now() end,
      version = version + 1, updated_at = now()
    where id = ${id} returning ${fields(sql)}`
  const [row] = yield* Effect.catchIf(update, isUniqueViolation, () => Effect.fail(new EmailTaken()))
  if (row !== undefined) yield* emitUser(UserChanged, row, row.state)
  return row
})

/** Stores a hash of the same password with other parameters, unless the password changed meanwhile. Emits no event. */
export const rehash = Effect.fnUntraced(function* (id: number, from: string, to: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`update identity.account set password_hash = ${to} where id = ${id} and password_hash = ${from}`
})

/** Deletes an account with all dependent rows. Returns the deleted account. */
export const remove = Effect.fnUntraced(function* (id: number) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<Account>`delete from identity.account a where a.id = ${id} returning ${fields(sql)}`
  if (row !== undefined) yield* emitUser(UserDeleted, { ...row, version: row.version + 1 }, "deleted")
  return row
})

/** The account in the form of events. */
export const userOf = (row: Account, state: User["state"] = row.state): User => ({
  user_id: row.id,
  tenant_id: row.tenant_id,
  email: row.email,
  name: row.name,
  role: row.role,
  locale: row.locale,
  time_zone: row.time_zone,
  state,
  version: row.version
})

type User = typeof UserSchema.Type

const emitUser = (event: typeof UserCreated, row: Account, state: User["state"]) =>
  Effect.flatMap(Events, (events) => events.emit(event, source, userOf(row, state), { tenantId: row.tenant_id }))

const isUniqueViolation = (error: unknown): boolean =>
  SqlError.isSqlError(error) && error.reason._tag === "UniqueViolation"
