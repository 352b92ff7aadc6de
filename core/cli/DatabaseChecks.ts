/**
 * The database part of `signalbox check`: whether the server answers, the login role, pending migrations, whether the
 * server allows enough connections, and the daemons' own checks of stored rows. Read-only.
 */
import { PgConnection } from "@effect/sql-pg"
import { Duration, Effect } from "effect"
import { type ConnectionTarget, toSqlPg } from "../postgres/ConnectionTarget.ts"
import { judge, type Judgement } from "../sql/ConnectionBudget.ts"
import { coreMigrations } from "../sql/CoreSchema.ts"
import { Environment } from "../config/Environment.ts"
import type { Daemon } from "../daemon/Daemon.ts"
import type { ReadRows } from "../daemon/DataCheck.ts"
import type { Migrations } from "../sql/Migrations.ts"
import { bad, type Finding, ok, warn } from "./Finding.ts"

/** How long connecting to the server may take. Unit: seconds. */
const patience = 5

/** All findings about one database. Fails when it does not answer. */
export const checkDatabase = (target: ConnectionTarget, daemons: ReadonlyArray<Daemon>, what: string) =>
  Effect.scoped(
    Effect.gen(function* () {
      const connection = yield* PgConnection.make({
        ...toSqlPg(target),
        applicationName: "signalbox check",
        connectTimeout: Duration.seconds(patience)
      })
      const one = <Row>(text: string, values: ReadonlyArray<unknown> = []) =>
        Effect.map(connection.query(text, values), (result) => result.rows[0] as Row)
      const server = yield* one<{ version: string; max_connections: number; reserved: number }>(
        `select current_setting('server_version') as version,
         current_setting('max_connections')::int as max_connections,
         current_setting('superuser_reserved_connections')::int
           + coalesce(current_setting('reserved_connections', true)::int, 0) as reserved`
      )
      const role = yield* one<RoleFacts>(
        `select r.rolname as name, r.rolsuper or r.rolbypassrls as bypasses, r.rolsuper or r.rolcreaterole as creates,
         exists (select 1 from pg_roles where rolname = 'signalbox_tenant') as tenant,
         has_database_privilege(current_database(), 'create') as schemas
       from pg_roles r where r.rolname = session_user`
      )
      const schemas = yield* Effect.forEach(
        [coreMigrations, ...daemons.map((daemon) => daemon.migrations)],
        (migrations) =>
          Effect.gen(function* () {
            const { there } = yield* one<{ there: boolean }>("select to_regclass($1) is not null as there", [
              `${migrations.schema}.migration`
            ])
            const last = there
              ? (yield* one<{ last: number }>(
                  `select coalesce(max(id), 0) as last from ${migrations.schema}.migration`
                )).last
              : 0
            return { migrations, last }
          })
      )
      const env = yield* Environment
      const read: ReadRows = <Row>(statement: string) =>
        Effect.map(connection.query(statement, []), ({ rows }) => rows as ReadonlyArray<unknown> as ReadonlyArray<Row>)
      const upToDate = daemons.filter(({ migrations }) =>
        schemas.some((one) => one.migrations === migrations && one.last === migrations.steps.at(-1)?.id)
      )
      const ofRows = yield* Effect.forEach(
        upToDate.flatMap((daemon) => daemon.dataChecks(env)),
        (check) => check(read, undefined)
      )
      return [
        ok("database", `${what}, Postgres ${server.version}`),
        roleFinding(role),
        ...migrationFindings(schemas),
        connectionFinding(judge(server, daemons.length)),
        ...ofRows.flat()
      ]
    })
  )

export interface RoleFacts {
  readonly name: string
  /** The role is a superuser or has BYPASSRLS, so row-level security does not bind it. */
  readonly bypasses: boolean
  readonly creates: boolean
  /** The role signalbox_tenant exists. */
  readonly tenant: boolean
  /** The role may create schemas in this database. */
  readonly schemas: boolean
}

/** Judges the login role: bad when migrations would fail, a warning when it bypasses row-level security. Pure. */
export const roleFinding = (role: RoleFacts): Finding => {
  if (!role.tenant && !role.creates) {
    return bad(
      "role",
      `signalbox_tenant is missing and ${role.name} cannot create it. As an administrator run:` +
        ` create role signalbox_tenant nologin; grant signalbox_tenant to "${role.name}";`
    )
  }
  if (!role.schemas)
    return bad(
      "role",
      `${role.name} cannot create schemas in this database: grant create on database … to "${role.name}"`
    )
  return role.bypasses
    ? warn(
        "role",
        `${role.name} can bypass row-level security; sessions run as role signalbox, a separate login role is safer`
      )
    : ok("role", `${role.name}, subject to row-level security`)
}

/** Compares each schema's last migration with the migrations in this version. Pure. */
export const migrationFindings = (
  schemas: ReadonlyArray<{ readonly migrations: Migrations; readonly last: number }>
): ReadonlyArray<Finding> => {
  const newer = schemas.filter(({ last, migrations }) => last > (migrations.steps.at(-1)?.id ?? 0))
  const pending = schemas.flatMap(({ last, migrations }) =>
    migrations.steps.filter((step) => step.id > last).map((step) => `${migrations.schema} ${step.id}`)
  )
  if (newer.length > 0) {
    return newer.map(({ last, migrations }) =>
      bad(
        "migrations",
        `schema ${migrations.schema} was changed by a newer version (migration ${last}); ` +
          "start that version or restore a backup"
      )
    )
  }
  return [
    pending.length === 0
      ? ok("migrations", "up to date")
      : warn("migrations", `pending: ${pending.join(", ")}; the next start or \`signalbox migrate\` runs them`)
  ]
}

/** Reports whether the server allows enough connections. Pure. */
export const connectionFinding = (judged: Judgement): Finding => {
  const figures =
    `${judged.available} available; needed: ${judged.together} as one process, ` +
    `${judged.split} as one process per daemon`
  return judged.verdict === "enough"
    ? ok("connections", figures)
    : (judged.verdict === "tight" ? warn : bad)("connections", `${figures}: raise max_connections`)
}
