/**
 * The table of accounts. Functions run in the surrounding transaction with the role it has, so a tenant's transaction
 * finds and changes its own people only. A change tells everybody by an event.
 */
import { Effect, Schema } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import type { Role } from "#core/auth/Roles.ts"
import { type User as UserSchema, UserChanged, UserCreated, UserDeleted } from "#core/contracts/Identity.ts"
import { Events } from "#core/events/Events.ts"

/** Who emits. */
export const source = "identity"

export interface Account {
  readonly id: number
  readonly tenant_id: number
  /** Normalised (EmailAddress). */
  readonly email: string
  readonly name: string
  readonly role: Role
  readonly locale: string
  readonly state: "active" | "suspended"
  readonly version: number
  readonly created_at: Date
  readonly updated_at: Date
  readonly last_login_at: Date | null
}

/** What signing in needs to know beyond that. */
export interface Credentials extends Account {
  readonly password_hash: string | null
  readonly tenant_state: "active" | "suspended"
}

/** The address belongs to an account, in whichever tenant. */
export class EmailTaken extends Schema.TaggedError<EmailTaken>()("EmailTaken", {}) {}

const fields = (sql: SqlClient.SqlClient) =>
  sql`a.id, a.tenant_id, a.email, a.name, a.role, a.locale, a.state, a.version, a.created_at, a.updated_at, a.last_login_at`

/** By normalised address; only as the platform, since who signs in names no tenant. */
export const byEmail = Effect.fnUntraced(function* (email: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<Credentials>`select ${fields(sql)}, a.password_hash, t.state as tenant_state
    from identity.account a join identity.tenant t on t.id = a.tenant_id where a.email = ${email}`
  return row
})

/** By number, with what signing in needs. */
export const credentialsOf = Effect.fnUntraced(function* (id: number) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<Credentials>`select ${fields(sql)}, a.password_hash, t.state as tenant_state
    from identity.account a join identity.tenant t on t.id = a.tenant_id where a.id = ${id}`
  return row
})

/** By number. */
export const get = Effect.fnUntraced(function* (id: number) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<Account>`select ${fields(sql)} from identity.account a where a.id = ${id}`
  return row
})

/** Of every tenant, in the order of their numbers, from the one after `last`. */
export const following = Effect.fnUntraced(function* (last: number, limit: number) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<Account>`select ${fields(sql)} from identity.account a where a.id > ${last} order by a.id limit ${limit}`
})

export interface NewAccount {
  readonly tenantId: number
  readonly email: string
  readonly name: string
  readonly role: Role
  readonly locale: string
  readonly passwordHash?: string
}

/** Makes one, or fails with `EmailTaken`. */
export const create = Effect.fnUntraced(function* (account: NewAccount) {
  const sql = yield* SqlClient.SqlClient
  const { email, locale, name, passwordHash, role, tenantId } = account
  const [row] =
    yield* sql<Account>`insert into identity.account as a (tenant_id, email, name, role, locale, password_hash, password_changed_at)
    values (${tenantId}, ${email}, ${name}, ${role}, ${locale}, ${passwordHash ?? null}, ${passwordHash === undefined ? null : new Date()})
    on conflict (email) do nothing returning ${fields(sql)}`
  if (row === undefined) return yield* new EmailTaken()
  yield* tell(UserCreated, row, row.state)
  return row
})

/** What of an account may change. */
export interface Change {
  readonly email?: string
  readonly name?: string
  readonly role?: Role
  readonly locale?: string
  readonly state?: "active" | "suspended"
  readonly passwordHash?: string
}

/** Changes what is given; undefined when there is no such account here. Fails with `EmailTaken`. */
export const change = Effect.fnUntraced(function* (id: number, to: Change) {
  const sql = yield* SqlClient.SqlClient
  const update = sql<Account>`update identity.account as a set
      email = coalesce(${to.email ?? null}, email), name = coalesce(${to.name ?? null}, name),
      role = coalesce(${to.role ?? null}, role), locale = coalesce(${to.locale ?? null}, locale),
      state = coalesce(${to.state ?? null}, state), password_hash = coalesce(${to.passwordHash ?? null}, password_hash),
      password_changed_at = case when ${to.passwordHash ?? null}::text is null then password_changed_at else now() end,
      version = version + 1, updated_at = now()
    where id = ${id} returning ${fields(sql)}`
  const [row] = yield* Effect.catchIf(update, isTaken, () => Effect.fail(new EmailTaken()))
  if (row !== undefined) yield* tell(UserChanged, row, row.state)
  return row
})

/**
 * Stores the same password's hash at another cost, unless it was changed meanwhile. Nothing that anybody sees changes.
 */
export const rehash = Effect.fnUntraced(function* (id: number, from: string, to: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`update identity.account set password_hash = ${to} where id = ${id} and password_hash = ${from}`
})

/** Removes one with all that hangs on it; answers what it was. */
export const remove = Effect.fnUntraced(function* (id: number) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<Account>`delete from identity.account a where a.id = ${id} returning ${fields(sql)}`
  if (row !== undefined) yield* tell(UserDeleted, { ...row, version: row.version + 1 }, "deleted")
  return row
})

/** An account as events carry it. */
export const userOf = (row: Account, state: User["state"] = row.state): User => ({
  user_id: row.id,
  tenant_id: row.tenant_id,
  email: row.email,
  name: row.name,
  role: row.role,
  locale: row.locale,
  state,
  version: row.version
})

type User = typeof UserSchema.Type

const tell = (event: typeof UserCreated, row: Account, state: User["state"]) =>
  Effect.flatMap(Events, (events) => events.emit(event, source, userOf(row, state), { tenantId: row.tenant_id }))

const isTaken = (error: unknown): boolean => SqlError.isSqlError(error) && error.reason._tag === "UniqueViolation"
