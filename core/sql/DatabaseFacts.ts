/** Reads what a Postgres server offers to its login role. Read-only; works with any role that may connect. */
import type { PgConnection } from "@effect/sql-pg"
import { Effect } from "effect"
import type { SqlError } from "effect/sql"
import { mailServerRole, ownerRole, tenantRole } from "../postgres/ServerAccess.ts"

export interface DatabaseFacts {
  readonly version: string
  readonly major: number
  readonly database: string
  readonly encoding: string
  /** The server is a standby, on which nothing can be written. */
  readonly standby: boolean
  readonly login: string
  readonly superuser: boolean
  /** The login role is a superuser or has BYPASSRLS, so row-level security does not bind it. */
  readonly bypasses: boolean
  /** The login role may create roles. */
  readonly creates: boolean
  /** Role of our sessions: the login role, or `signalbox` when the login role bypasses row-level security. */
  readonly role: string
  readonly roleExists: boolean
  /** The login role is that role, or may switch to it. */
  readonly switches: boolean
  readonly tenantExists: boolean
  /** Our sessions may switch to signalbox_tenant. */
  readonly tenantMember: boolean
  /** The login role may grant signalbox_tenant. */
  readonly tenantGrants: boolean
  /** Our sessions may create schemas in this database. */
  readonly createsSchemas: boolean
  /** Schema of unqualified tables; null: none in the search path exists. */
  readonly schema: string | null
  /** Our sessions may create tables in it. */
  readonly createsTables: boolean
  /** Schemas of ours that belong to a role whose rights our sessions lack. */
  readonly foreign: ReadonlyArray<{ readonly schema: string; readonly owner: string }>
  /** Settings of our sessions, by name. */
  readonly settings: Readonly<Record<string, string>>
  readonly maxConnections: number
  /** Connections that ordinary roles cannot use: superuser_reserved_connections and reserved_connections. */
  readonly reserved: number
  /** Connection limits of the login role and of the database; -1: none. */
  readonly roleLimit: number
  readonly databaseLimit: number
  /** Connection limit of the mail server's role: -1: none; null: the role does not exist. */
  readonly mailLimit: number | null
}

/** Settings that matter to us. */
const settingNames = [
  "fsync",
  "full_page_writes",
  "synchronous_commit",
  "default_transaction_isolation",
  "default_transaction_read_only",
  "row_security",
  "idle_session_timeout",
  "transaction_timeout"
]

/** `schemas`: names of our schemas, of which some may not exist yet. */
export const readFacts = (
  connection: PgConnection.PgConnection,
  schemas: ReadonlyArray<string>
): Effect.Effect<DatabaseFacts, SqlError.SqlError> =>
  Effect.map(
    connection.query(
      `with login as (
         select oid, rolname, rolsuper, rolsuper or rolbypassrls as bypasses, rolcreaterole, rolconnlimit
           from pg_roles where rolname = session_user),
       acting as (
         select case when bypasses then '${ownerRole}' else rolname::text end as name,
                case when bypasses then to_regrole('${ownerRole}')::oid else oid end as oid from login),
       here as (select * from pg_database where datname = current_database()),
       -- Before version 16, every member of a role could switch to it, and CREATEROLE could grant any role.
       major as (select current_setting('server_version_num')::int / 10000 as number,
         case when current_setting('server_version_num')::int >= 160000 then 'set' else 'member' end as switching)
       select current_setting('server_version') as version, major.number as major, here.datname::text as database,
         pg_encoding_to_char(here.encoding)::text as encoding, pg_is_in_recovery() as standby,
         login.rolname::text as login, login.rolsuper as superuser, login.bypasses,
         login.rolsuper or login.rolcreaterole as creates,
         acting.name as role, acting.oid is not null as "roleExists",
         coalesce(pg_has_role(login.oid, acting.oid, major.switching), false) as switches,
         to_regrole('${tenantRole}') is not null as "tenantExists",
         coalesce(pg_has_role(acting.oid, to_regrole('${tenantRole}')::oid, major.switching), false)
           as "tenantMember",
         login.rolsuper or (major.number < 16 and login.rolcreaterole)
           or coalesce(pg_has_role(login.oid, to_regrole('${tenantRole}')::oid, 'member with admin option'), false)
           as "tenantGrants",
         coalesce(has_database_privilege(acting.oid, here.oid, 'create'), false) as "createsSchemas",
         current_schema()::text as schema,
         coalesce(has_schema_privilege(acting.oid, current_schema()::text, 'create'), false) as "createsTables",
         coalesce((select json_agg(json_build_object('schema', n.nspname, 'owner', pg_get_userbyid(n.nspowner))
             order by n.nspname)
           from pg_namespace n where n.nspname = any ($1) and acting.oid is not null
             and not pg_has_role(acting.oid, n.nspowner, 'usage')), '[]') as foreign,
         (select json_object_agg(name, setting) from pg_settings where name = any ($2)) as settings,
         current_setting('max_connections')::int as "maxConnections",
         current_setting('superuser_reserved_connections')::int
           + coalesce(current_setting('reserved_connections', true)::int, 0) as reserved,
         login.rolconnlimit as "roleLimit", here.datconnlimit as "databaseLimit",
         (select rolconnlimit from pg_roles where rolname = '${mailServerRole}') as "mailLimit"
       from login, acting, here, major`,
      [schemas, settingNames]
    ),
    (result) => result.rows[0] as unknown as DatabaseFacts
  )
