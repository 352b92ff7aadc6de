/**
 * Reads and writes trunks: connections to telephony providers. Functions run in the surrounding transaction. Changes
 * write audit entries and are announced to the projections.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { NotFound } from "#core/http/Problem.ts"
import * as GatewayCallerIds from "#core/telephony/GatewayCallerIds.ts"
import { changed, differences, inTurn } from "../Change.ts"
import { invalid } from "../Destinations.ts"
import { noDid, noLine } from "../Uses.ts"

export interface Settings {
  readonly name: string
  readonly host: string
  readonly port: number
  readonly transport: "udp" | "tcp" | "tls"
  readonly username: string | null
  /** Whether the switch registers at the provider to receive calls. */
  readonly register: boolean
  /** Digest realm; null: the realm of the provider's challenge. */
  readonly realm: string | null
  /** Caller ID of calls whose line has no DID. */
  readonly caller_id: string | null
  /** CIDR ranges from which calls of the trunk come; empty: `host`, if it is an IP address. */
  readonly networks: ReadonlyArray<string>
  readonly enabled: boolean
}

/** Who may confirm networks: the provider, whose changes are therefore in effect at once. */
export interface By {
  readonly isProvider: boolean
}

export interface Trunk extends Settings {
  readonly id: number
  readonly tenant_id: number
  readonly has_password: boolean
  readonly created_at: Date
  readonly updated_at: Date
  /** Networks that the provider confirmed. */
  readonly confirmed: ReadonlyArray<string>
}

const fields = (sql: SqlClient.SqlClient) =>
  sql`id, tenant_id, name, host, port, transport, username, register, realm, caller_id, networks::text[] as networks,
    confirmed::text[] as confirmed, enabled,
    password is not null as has_password, created_at, updated_at`

/** Trunks, newest first, at most `limit`. */
export const list = Effect.fnUntraced(function* (
  tenant: number | undefined,
  before: number | undefined,
  limit: number
) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<Trunk>`select ${fields(sql)} from sip_config.trunk
    where ${tenant === undefined ? sql`true` : sql`tenant_id = ${tenant}`}
    and ${before === undefined ? sql`true` : sql`id < ${before}`} order by id desc limit ${limit}`
})

/** Trunk with this ID, or 404. */
export const get = Effect.fnUntraced(function* (id: number) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<Trunk>`select ${fields(sql)} from sip_config.trunk where id = ${id}`
  return row ?? (yield* new NotFound({ detail: "The trunk does not exist." }))
})

const held = Effect.fnUntraced(function* (id: number) {
  yield* inTurn((yield* get(id)).tenant_id)
  return yield* get(id)
})

/** Fails with 422 when registration is on without a user name or password. */
const whole = (trunk: Settings, password: boolean) =>
  !trunk.register || (trunk.username !== null && password)
    ? Effect.void
    : Effect.fail(invalid("payload.register", "needs username and password"))

/** Lets alarm calls over the trunk show its caller id. */
const publish = ({ caller_id, id, tenant_id }: Pick<Trunk, "id" | "tenant_id" | "caller_id">) =>
  GatewayCallerIds.set(tenant_id, `trunk_${id}`, caller_id)

/** Creates a trunk. `password`: sealed envelope; null: no password. */
export const create = Effect.fnUntraced(function* (
  tenantId: number,
  id: number,
  trunk: Settings,
  password: string | null,
  { isProvider }: By
) {
  const sql = yield* SqlClient.SqlClient
  yield* inTurn(tenantId)
  yield* whole(trunk, password !== null)
  const [made] = yield* sql<Trunk>`insert into sip_config.trunk
      (id, tenant_id, name, host, port, transport, username, password, register, realm, caller_id, networks, confirmed,
       enabled)
    values (${id}, ${tenantId}, ${trunk.name}, ${trunk.host}, ${trunk.port}, ${trunk.transport}, ${trunk.username},
    ${password},
      ${trunk.register}, ${trunk.realm}, ${trunk.caller_id}, ${trunk.networks}::text[]::cidr[],
      ${isProvider ? trunk.networks : []}::text[]::cidr[], ${trunk.enabled})
    returning ${fields(sql)}`
  yield* publish(made!)
  yield* changed("sip_trunk", made!, "created", { name: trunk.name, host: trunk.host })
  return made!
})

/** Changes the given fields. `password`: sealed envelope; null removes it. */
export const update = Effect.fnUntraced(function* (
  id: number,
  to: Partial<Settings>,
  password: string | null | undefined,
  { isProvider }: By
) {
  const sql = yield* SqlClient.SqlClient
  const before = yield* held(id)
  const after = { ...before, ...to }
  yield* whole(after, password === undefined ? before.has_password : password !== null)
  const found = differences(before, after, [
    "name",
    "host",
    "port",
    "transport",
    "username",
    "register",
    "realm",
    "caller_id",
    "networks",
    "enabled"
  ])
  if (found !== undefined) {
    yield* sql`update sip_config.trunk set name = ${after.name}, host = ${after.host}, port = ${after.port},
      transport = ${after.transport},
      username = ${after.username}, register = ${after.register}, realm = ${after.realm},
      caller_id = ${after.caller_id},
      networks = ${after.networks}::text[]::cidr[],
      confirmed = ${isProvider && to.networks !== undefined ? after.networks : before.confirmed}::text[]::cidr[],
      enabled = ${after.enabled}, updated_at = now() where id = ${id}`
    yield* publish(after)
    yield* changed("sip_trunk", before, "changed", found)
  }
  if (password !== undefined) {
    yield* sql`update sip_config.trunk set password = ${password}, updated_at = now() where id = ${id}`
    yield* changed("sip_trunk", before, password === null ? "password_removed" : "password_set", { name: after.name })
  }
  return yield* get(id)
})

/**
 * Confirms networks of a trunk that its tenant requested. `networks`: as the provider saw them, so that a change in
 * between is not confirmed unseen; 422 when they differ. `tell`: writes the audit entry and announces the change.
 */
export const confirm = Effect.fnUntraced(function* <E, R>(
  id: number,
  networks: ReadonlyArray<string>,
  tell: (row: Trunk, detail: Readonly<Record<string, unknown>>) => Effect.Effect<void, E, R>
) {
  const sql = yield* SqlClient.SqlClient
  const before = yield* held(id)
  const same = networks.length === before.networks.length && networks.every((one) => before.networks.includes(one))
  if (!same) return yield* invalid("payload.networks", "are not the networks of the trunk; read it again")
  const found = differences(before, { ...before, confirmed: before.networks }, ["confirmed"])
  if (found === undefined) return before
  yield* sql`update sip_config.trunk set confirmed = networks, updated_at = now() where id = ${id}`
  yield* tell(before, found)
  return yield* get(id)
})

/** Deletes a trunk; 409 while a DID or line uses it. */
export const remove = Effect.fnUntraced(function* (id: number) {
  const sql = yield* SqlClient.SqlClient
  const row = yield* held(id)
  yield* noDid(row)
  yield* noLine("trunk_id", row)
  yield* sql`delete from sip_config.trunk where id = ${id}`
  yield* publish({ ...row, caller_id: null })
  yield* changed("sip_trunk", row, "deleted", { name: row.name, host: row.host })
})
