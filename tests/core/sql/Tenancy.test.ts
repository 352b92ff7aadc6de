/** Postgres itself separates the tenants: checks the catalogue, and the effect on statements. */
import { expect, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { coreMigrations } from "#core/sql/CoreSchema.ts"
import * as Events from "#core/events/Events.ts"
import * as Jobs from "#core/jobs/Jobs.ts"
import * as Migrations from "#core/sql/Migrations.ts"
import { asPlatform, tenantTransaction, transaction } from "#core/sql/Sql.ts"
import { daemons } from "#daemons/Suite.ts"
import { inFrame, until } from "#support/Frame.ts"

const Work = Jobs.define("test.work", Schema.Struct({ n: Schema.Number }))
const Counted = Events.define("probe.counted", Schema.Struct({ n: Schema.Number }))

/** Errors in tables with tenants' rows or with access for the tenant role; empty when there are none. */
const tenancyProblems = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{
    table: string
    enabled: boolean
    forced: boolean
    tenant: boolean
    policy: boolean
    granted: boolean
    system: boolean
  }>`
    select n.nspname || '.' || c.relname as table, c.relrowsecurity as enabled, c.relforcerowsecurity as forced,
           n.nspname in ('pg_catalog', 'information_schema') as system,
           exists (select 1 from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped) as tenant,
           exists (select 1 from pg_policies p where p.schemaname = n.nspname and p.tablename = c.relname
             and p.roles = '{signalbox_tenant}' and p.cmd = 'ALL' and p.permissive = 'PERMISSIVE'
             and p.qual = '(tenant_id = core.tenant())' and p.with_check = '(tenant_id = core.tenant())')
             and not exists (select 1 from pg_policies p where p.schemaname = n.nspname and p.tablename = c.relname
               -- A restrictive one only takes away.
               and p.permissive = 'PERMISSIVE'
               and (p.roles && '{signalbox_tenant,public}'::name[]) and p.qual is distinct from '(tenant_id = core.tenant())') as policy,
           has_table_privilege('signalbox_tenant', c.oid, 'select,insert,update,delete,truncate,references,trigger')
             or has_any_column_privilege('signalbox_tenant', c.oid, 'select,insert,update,references') as granted
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p', 'v', 'm', 'f') and n.nspname !~ '^pg_toast'`
  return rows
    .filter((row) => !row.system && (row.tenant || row.granted))
    .flatMap((row) => [
      ...(row.tenant ? [] : [`${row.table}: tenants may touch it, but it has no tenant_id`]),
      ...(row.enabled ? [] : [`${row.table}: row-level security is off`]),
      ...(row.forced ? [] : [`${row.table}: row-level security does not bind its owner`]),
      ...(row.policy ? [] : [`${row.table}: no policy keeps tenants to core.tenant()`])
    ])
})

/** A table of a daemon, with one row of tenant 1 and one of tenant 2. */
const twoTenants = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* Migrations.run({
    schema: "probe",
    steps: [
      {
        id: 1,
        name: "things",
        statements: [
          `create table probe.thing (id int primary key, tenant_id int not null, name text not null)`,
          `select core.protect('probe.thing')`,
          `insert into probe.thing values (1, 1, 'ours'), (2, 2, 'theirs')`
        ]
      }
    ]
  })
  return {
    sql,
    names: Effect.map(sql<{ name: string }>`select name from probe.thing order by id`, (rows) =>
      rows.map((row) => row.name)
    )
  }
})

const who = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(
    sql<{
      role: string
      tenant: string | null
    }>`select current_user::text as role, nullif(current_setting('app.tenant', true), '') as tenant`,
    (rows) => rows[0]!
  )
)

const platform = { role: "signalbox", tenant: null }

it.live("every table with tenants' rows has the policy", () =>
  inFrame(
    Effect.gen(function* () {
      for (const daemon of daemons) yield* Migrations.run(daemon.migrations)
      expect(yield* tenancyProblems).toEqual([])
    })
  )
)

it.live.each<readonly [string, ReadonlyArray<string>, string]>([
  ["a table without a policy", ["create table core.made_up (tenant_id int)"], "no policy"],
  [
    "a table with security off",
    [
      "create table core.made_up (tenant_id int)",
      "select core.protect('core.made_up')",
      "alter table core.made_up disable row level security"
    ],
    "is off"
  ],
  [
    "a table that does not bind its owner",
    [
      "create table core.made_up (tenant_id int)",
      "select core.protect('core.made_up')",
      "alter table core.made_up no force row level security"
    ],
    "bind its owner"
  ],
  [
    "a policy that lets all rows through",
    [
      "create table core.made_up (tenant_id int)",
      "select core.protect('core.made_up')",
      "create policy wide on core.made_up for select using (true)"
    ],
    "no policy"
  ],
  [
    "a grant on a platform table",
    ["create table core.made_up (n int)", "grant select on core.made_up to signalbox_tenant"],
    "no tenant_id"
  ],
  [
    "a grant on one column",
    ["create table core.made_up (n int)", "grant select (n) on core.made_up to signalbox_tenant"],
    "no tenant_id"
  ],
  ["a view over tenants' rows", ["create view core.made_up as select * from core.event"], "is off"]
])("the catalogue test sees %s", ([, statements, problem]) =>
  inFrame(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      for (const statement of statements) yield* sql.unsafe(statement)
      expect((yield* tenancyProblems).join("; ")).toContain(problem)
    })
  )
)

it.live("sessions use a role that is subject to row-level security", () =>
  inFrame(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      for (const user of ["session_user", "current_user"]) {
        expect(yield* sql.unsafe(`select rolsuper, rolbypassrls from pg_roles where rolname = ${user}`)).toEqual([
          { rolsuper: false, rolbypassrls: false }
        ])
      }
      expect(
        yield* sql`select rolsuper, rolbypassrls, rolcanlogin from pg_roles where rolname = 'signalbox_tenant'`
      ).toEqual([{ rolsuper: false, rolbypassrls: false, rolcanlogin: false }])
    })
  )
)

it.live("a tenant neither sees nor changes another's rows", () =>
  inFrame(
    Effect.gen(function* () {
      const { names, sql } = yield* twoTenants
      const asOne = <A, E, R>(effect: Effect.Effect<A, E, R>) => tenantTransaction(1, effect)
      expect(yield* asOne(names)).toEqual(["ours"])
      expect(yield* asOne(sql`update probe.thing set name = 'stolen' where id = 2 returning id`)).toEqual([])
      expect(yield* asOne(sql`delete from probe.thing where id = 2 returning id`)).toEqual([])
      expect(Exit.isFailure(yield* Effect.exit(asOne(sql`insert into probe.thing values (3, 2, 'planted')`)))).toBe(
        true
      )
      expect(Exit.isFailure(yield* Effect.exit(asOne(sql`update probe.thing set tenant_id = 2 where id = 1`)))).toBe(
        true
      )
      expect(Exit.isFailure(yield* Effect.exit(asOne(sql`truncate probe.thing`)))).toBe(true)
      yield* asOne(sql`insert into probe.thing values (4, 1, 'ours too')`)
      expect(yield* names).toEqual(["ours", "theirs", "ours too"])
    })
  )
)

it.live("rows without a tenant are invisible to tenants", () =>
  inFrame(
    Effect.gen(function* () {
      const { names, sql } = yield* twoTenants
      expect(yield* tenantTransaction(3, names)).toEqual([])
      const lost = transaction(Effect.andThen(sql`select set_config('role', 'signalbox_tenant', true)`, names))
      expect(yield* lost).toEqual([])
    })
  )
)

it.live("a pooled connection returns to the platform role after success, failure, defect and interruption", () =>
  inFrame(
    Effect.gen(function* () {
      const { sql } = yield* twoTenants
      const everyConnection = Effect.forEach(
        [1, 2, 3, 4],
        () => transaction(Effect.andThen(sql`select pg_sleep(0.02)`, who)),
        { concurrency: 4 }
      )
      yield* tenantTransaction(1, sql`select 1`)
      yield* Effect.exit(tenantTransaction(1, sql`select 1 / 0`))
      yield* Effect.exit(tenantTransaction(1, Effect.fail("no")))
      yield* Effect.exit(tenantTransaction(1, Effect.die(new Error("broken"))))
      for (const seen of yield* everyConnection) expect(seen).toEqual(platform)
      for (const inside of [sql`select pg_sleep(5)`, Effect.never]) {
        const fiber = yield* Effect.forkChild(tenantTransaction(1, inside))
        yield* Effect.sleep(100)
        yield* Fiber.interrupt(fiber)
      }
      for (const seen of yield* everyConnection) expect(seen).toEqual(platform)
    })
  )
)

it.live("asPlatform switches to the platform only for its effect, inside a tenant's transaction", () =>
  inFrame(
    Effect.gen(function* () {
      const { names } = yield* twoTenants
      const tenant = { role: "signalbox_tenant", tenant: "1" }
      const seen = yield* tenantTransaction(1, Effect.all([who, asPlatform(who), who, asPlatform(names), names]))
      expect(seen).toEqual([tenant, { role: "signalbox", tenant: "1" }, tenant, ["ours", "theirs"], ["ours"]])
      expect(yield* asPlatform(who)).toEqual(platform)
      expect(yield* transaction(asPlatform(who))).toEqual(platform)
      expect((yield* tenantTransaction(1, asPlatform(asPlatform(who)))).role).toBe("signalbox")
    })
  )
)

it.live("a tenant's transaction returns to the tenant after a failure inside asPlatform", () =>
  inFrame(
    Effect.gen(function* () {
      const { names } = yield* twoTenants
      const seen = yield* tenantTransaction(
        1,
        Effect.gen(function* () {
          yield* Effect.exit(asPlatform(Effect.fail("refused")))
          return yield* names
        })
      )
      expect(seen).toEqual(["ours"])
    })
  )
)

it.live("jobs and events of a tenant's transaction commit with it", () =>
  inFrame(
    Effect.gen(function* () {
      const { names, sql } = yield* twoTenants
      const jobs = yield* Jobs.Jobs
      const events = yield* Events.Events
      const both = (n: number) =>
        Effect.andThen(jobs.send(Work, [{ data: { n } }]), events.emit(Counted, "test", { n }, { tenantId: 1 }))
      yield* Effect.exit(tenantTransaction(1, Effect.andThen(both(1), Effect.fail("rolled back"))))
      expect(yield* tenantTransaction(1, Effect.andThen(both(2), names))).toEqual(["ours"])
      const written = yield* sql<{ n: number }>`select (data->>'n')::int as n from pgboss.job where name = ${Work.queue}
        union all select (data->>'n')::int from core.event`
      expect(written.map((row) => row.n)).toEqual([2, 2])
      expect((yield* tenantTransaction(2, sql`select 1 from core.event`)).length).toBe(0)
      expect((yield* tenantTransaction(1, sql`select 1 from core.event`)).length).toBe(1)
    }),
    { queues: [Work.queue] }
  )
)

it.live("a tenant cannot access the tables of the job and event engines", () =>
  inFrame(
    Effect.gen(function* () {
      const { sql } = yield* twoTenants
      for (const table of [
        "pgboss.job",
        "core.service_token",
        "core.idempotency_key",
        "core.event_cursor",
        "core.job_claim"
      ]) {
        const exit = yield* Effect.exit(tenantTransaction(1, sql.unsafe(`select 1 from ${table}`)))
        expect([table, Exit.isFailure(exit)]).toEqual([table, true])
      }
    })
  )
)

it.live("an idle transaction is ended", () =>
  inFrame(
    Effect.gen(function* () {
      const { sql } = yield* twoTenants
      expect(
        yield* sql`select current_setting('idle_in_transaction_session_timeout') as t, current_setting('statement_timeout') as s`
      ).toEqual([{ t: "5s", s: "30s" }])
      expect(coreMigrations.schema).toBe("core")
      yield* until(
        "nothing is left open",
        Effect.map(
          sql`select 1 from pg_stat_activity where datname = current_database() and state = 'idle in transaction'`,
          (rows) => rows.length === 0
        )
      )
    })
  )
)
