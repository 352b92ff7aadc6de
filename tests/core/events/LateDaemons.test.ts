/**
 * Daemons that start 20 days after the others, or lost everything they had read, although all old events are deleted:
 * all together, and each of them alone. Their rows are complete within ten seconds. Alone, the daemon also reports that
 * it catches up, and nothing that was sent, written or announced before is so again.
 */
import { describe, expect, layer } from "@effect/vitest"
import { Context, Effect, Fiber, Latch, Layer, type Scope } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import type { Daemon } from "#core/daemon/Daemon.ts"
import * as Prune from "#core/events/Prune.ts"
import { commDispatcher } from "#daemons/comm-dispatcher/Daemon.ts"
import { dnsVerifier } from "#daemons/dns-verifier/Daemon.ts"
import { identity } from "#daemons/identity/Daemon.ts"
import { told as identityTold } from "#daemons/identity/users/migrations/0008_told.ts"
import { mailAdmin } from "#daemons/mail-admin/Daemon.ts"
import { told as mailTold } from "#daemons/mail-admin/domains/migrations/0008_told.ts"
import { mailWatcher } from "#daemons/mail-watcher/Daemon.ts"
import { told as customersTold } from "#daemons/sip-config/customers/migrations/0007_told.ts"
import { provisioning } from "#daemons/provisioning/Daemon.ts"
import { extensionEvents as extensionsTold } from "#daemons/sip-config/directory/migrations/0009_extension_events.ts"
import { watchdog } from "#daemons/watchdog/Daemon.ts"
import { client, until } from "#support/Frame.ts"
import { type FreshDatabase, freshDatabaseOn, startServer } from "#support/Postgres.ts"
import { startSuite, type TestSuite } from "#support/TestSuite.ts"
import { allDone, allRead, contents, daemons, env, prepare, type Projection, projections } from "./LateInstallation.ts"

interface Late {
  readonly name: string
  readonly daemon: Daemon
  readonly gateway?: boolean
  /** Projections beside those of the consumers with this name. */
  readonly more?: ReadonlyArray<Projection>
  /** Tables of what the daemon has done for events. Emptied, because their keys would hide a second time. */
  readonly undone?: ReadonlyArray<string>
}

const late: ReadonlyArray<Late> = [
  { name: "identity", daemon: identity },
  {
    name: "mail-admin",
    daemon: mailAdmin,
    more: [
      {
        consumer: "mail-admin.record-checks",
        table: "mail_admin.dns_record",
        shown: "type, name, status, checked_at",
        forget: "update mail_admin.dns_record set status = 'unknown', checked_at = null"
      }
    ]
  },
  { name: "mail-watcher", daemon: mailWatcher },
  {
    name: "comm-dispatcher",
    daemon: commDispatcher,
    more: [
      {
        consumer: "comm-dispatcher.members",
        table: "comm_dispatcher.member_chat",
        shown: "user_id, tenant_id, chat_id, version"
      }
    ],
    undone: ["comm_dispatcher.run", "comm_dispatcher.notification", "comm_dispatcher.notification_key"]
  },
  { name: "dns-verifier", daemon: dnsVerifier },
  { name: "provisioning", daemon: provisioning },
  {
    name: "watchdog",
    daemon: watchdog,
    more: [{ consumer: "watchdog.bans", table: "watchdog.security_alert", shown: "address::text, rule" }]
  },
  // A daemon without a ban list of its own, whose consumers would have the names of the gateway's.
  { name: "gateway", daemon: identity, gateway: true }
]

/** Events whose readers write into their own things, and one that must reach a user once. */
const more = (sql: SqlClient.SqlClient) =>
  Effect.gen(function* () {
    yield* sql`insert into core.event (type, source, tenant_id, data)
      select 'dns.mail_records.checked', 'test', d.tenant_id, jsonb_build_object('domain', d.domain,
        'checked_at', now() + interval '1 day', 'records', jsonb_agg(jsonb_build_object('type', r.type, 'name', r.name,
          'content', r.content, 'priority', r.priority, 'status', 'ok')))
      from mail_admin.domain d join mail_admin.dns_record r on r.domain_id = d.id group by d.id`
    yield* sql`insert into core.event (type, source, tenant_id, data)
      select 'name.proven', 'test', tenant_id, jsonb_build_object('kind', 'mail', 'tenant_id', tenant_id,
        'name', domain) from mail_admin.domain`
    yield* sql`insert into core.event (type, source, tenant_id, user_id, data)
      select 'identity.messenger.changed', 'test', tenant_id, id, jsonb_build_object('user_id', id,
        'tenant_id', tenant_id, 'chat_id', '77', 'version', version) from identity.account where email = 'ann@late.test'`
    yield* sql`select pg_notify('signalbox', 'event')`
  })

/**
 * Makes a copy of the prepared database. It is on a server of its own, because the transactions of the held writers
 * keep back the events of all databases of a server.
 */
class Prepared extends Context.Service<Prepared, Effect.Effect<FreshDatabase, SqlError.SqlError, Scope.Scope>>()(
  "test/Prepared"
) {
  static readonly layer = Layer.effect(
    Prepared,
    Effect.gen(function* () {
      const { socketDir } = yield* startServer
      const database = yield* freshDatabaseOn(socketDir)
      yield* Effect.scoped(
        Effect.gen(function* () {
          const sql = yield* client(database.target)
          yield* prepare(database, sql, more(sql))
        })
      )
      return freshDatabaseOn(socketDir, database.target.database)
    })
  )
}

/** The tables without what only the events of deleted things told. */
const alive = (rows: ReadonlyArray<Record<string, unknown>>) =>
  rows.filter(({ gone, state }) => state !== "deleted" && gone !== true)

/**
 * Number of rows of every table except those about running processes and measurements, of jobs by queue and of events
 * by type.
 */
const counts = (sql: SqlClient.SqlClient) =>
  Effect.map(
    sql<{ name: string; rows: number }>`
      select format('%I.%I', schemaname, tablename) as name,
        (xpath('/row/n/text()', query_to_xml(format('select count(*) as n from %I.%I', schemaname, tablename), false,
          true, '')))[1]::text::int as rows
      from pg_tables where schemaname not in ('pg_catalog', 'information_schema', 'pgboss')
        and tablename not in ('incarnation', 'job_claim', 'sweep', 'service_keeper', 'alert_sender')
        and tablename not like 'cluster%' and tablename not like 'monitoring%'
      union all select 'job ' || name, count(*)::int from pgboss.job group by name
      union all select 'event ' || type, count(*)::int from core.event group by type
      order by 1`,
    (rows) => rows.map(({ name, rows }) => `${name}: ${rows}`)
  )

/** Key of the advisory lock that holds the writers. Used by nothing else in the database. */
const holdKey = 471_100

/**
 * Holds every consumer at its first insert or update in one of the tables. Returns the release. Deletions pass, other
 * than with a table lock: each held statement occupies a connection of the daemon, which has three, and a consumer
 * without a connection could never report that it catches up.
 */
const hold = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, tables: ReadonlyArray<string>) {
  yield* sql`create function core.held() returns trigger language plpgsql as ${sql.literal(
    `$$ begin perform pg_advisory_xact_lock_shared(${holdKey}); return null; end $$`
  )}`
  for (const table of tables)
    yield* sql`create trigger held before insert or update on ${sql.literal(table)}
      for each statement execute function core.held()`
  const [taken, free] = [yield* Latch.make(), yield* Latch.make()]
  const holder = yield* Effect.forkScoped(
    sql.withTransaction(
      sql`select pg_advisory_xact_lock(${holdKey})`.pipe(Effect.andThen(taken.open), Effect.andThen(free.await))
    )
  )
  yield* taken.await
  return Effect.andThen(free.open, Fiber.join(holder))
})

const prune = (sql: SqlClient.SqlClient) => Effect.provideService(Prune.prune(14), SqlClient.SqlClient, sql)

describe("daemons that start 20 days late", () => {
  layer(Prepared.layer, { excludeTestServices: true, timeout: 90_000 })((it) => {
    it.effect.each([{ after: "pruning" }, { after: "an upgrade from a version that deleted the newest states" }])(
      "all together are complete within ten seconds after $after",
      ({ after }) =>
        Effect.gen(function* () {
          const database = yield* yield* Prepared
          const sql = yield* client(database.target)
          const before = yield* contents(sql)
          const kept = ({ consumer, rows }: (typeof before)[number]) => ({
            consumer,
            rows: after === "pruning" ? rows : alive(rows)
          })
          if (after === "pruning") yield* prune(sql)
          else {
            yield* sql`delete from core.event where type !~ '^(domain|security|name|dns|status)[.]'`
            for (const { statements } of [identityTold, mailTold, customersTold, extensionsTold]) {
              for (const statement of statements.filter((each) => each.startsWith("insert")))
                yield* sql`${sql.literal(statement)}`
            }
          }
          for (const { consumer, table } of projections) {
            yield* sql`truncate ${sql.literal(table)} cascade`
            yield* sql`delete from core.event_cursor where consumer = ${consumer}`
          }
          yield* startSuite({ daemons, gateway: true, env, database })
          yield* until(
            "all know everything again",
            Effect.map(contents(sql), (all) => JSON.stringify(all.map(kept)) === JSON.stringify(before.map(kept)))
          )
          expect((yield* contents(sql)).map(kept)).toEqual(before.map(kept))
        }),
      120_000
    )

    it.effect.each(late)(
      "$name alone reports that it catches up, is complete within ten seconds, and repeats nothing",
      ({ daemon, gateway = false, more: others = [], name, undone = [] }) =>
        Effect.gen(function* () {
          const database = yield* yield* Prepared
          const [sql, holding] = [yield* client(database.target), yield* client(database.target)]
          yield* prune(sql)
          const own = [...projections.filter(({ consumer }) => consumer.startsWith(`${name}.`)), ...others]
          const before = yield* contents(sql, own)
          for (const { consumer, rows } of before) expect(rows, consumer).not.toEqual([])
          for (const table of undone) yield* sql`truncate ${sql.literal(table)} cascade`
          const counted = yield* counts(sql)
          for (const { forget, table } of own) yield* sql`${sql.literal(forget ?? `truncate ${table} cascade`)}`
          yield* sql`delete from core.event_cursor where consumer like ${`${name}.%`}`

          const release = yield* hold(
            holding,
            own.map(({ table }) => table)
          )
          const suite = yield* startSuite({ daemons: [daemon], fleet: daemons, gateway, env, database })
          for (const { consumer } of own)
            yield* until(
              `${consumer} is told as catching up`,
              Effect.map(health(suite, daemon.name, gateway), ({ events }) =>
                String(events?.detail).includes(`${consumer} has read until`)
              ),
              20
            )
          yield* release
          yield* until(
            "it knows everything",
            Effect.map(contents(sql, own), (all) => JSON.stringify(all) === JSON.stringify(before)),
            10
          )
          expect(yield* contents(sql, own)).toEqual(before)
          yield* allRead(sql)
          yield* allDone(sql)
          expect(yield* counts(sql)).toEqual(counted)
          yield* until(
            "its health is that of a reader without delay",
            Effect.map(health(suite, daemon.name, gateway), ({ events }) => events === undefined)
          )
        }),
      120_000
    )
  })
})

const health = (suite: TestSuite, daemon: string, gateway: boolean) =>
  Effect.map(suite.call("GET", gateway ? `/health/${daemon}` : "/health"), ({ json }) => json.components)
