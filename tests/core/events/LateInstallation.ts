/**
 * An installation whose events are 20 days old and pruned, for daemons that start late: which consumers read the states
 * of things since the first event, and where each stores them.
 */
import { expect } from "@effect/vitest"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { bankFetcher } from "#daemons/bank-fetcher/Daemon.ts"
import { commDispatcher } from "#daemons/comm-dispatcher/Daemon.ts"
import { dnsVerifier } from "#daemons/dns-verifier/Daemon.ts"
import { identity } from "#daemons/identity/Daemon.ts"
import { mailAdmin } from "#daemons/mail-admin/Daemon.ts"
import { mailWatcher } from "#daemons/mail-watcher/Daemon.ts"
import { provisioning } from "#daemons/provisioning/Daemon.ts"
import { sipConfig } from "#daemons/sip-config/Daemon.ts"
import { watchdog } from "#daemons/watchdog/Daemon.ts"
import { until } from "#support/Frame.ts"
import type { FreshDatabase } from "#support/Postgres.ts"
import { startSuite } from "#support/TestSuite.ts"

/** The time in so many days, as events show times. */
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

/** A consumer, and the rows in which it stores what it reads. */
export interface Projection {
  readonly consumer: string
  readonly table: string
  readonly shown: string
  /** Forgets what was read. Default: the table is emptied. */
  readonly forget?: string
}

export const projections: ReadonlyArray<Projection> = [
  { consumer: "comm-dispatcher.members", table: "comm_dispatcher.member", shown: "user_id, tenant_id, email, state" },
  { consumer: "mail-admin.users", table: "mail_admin.known_user", shown: "user_id, tenant_id, email, state" },
  { consumer: "mail-admin.customers", table: "mail_admin.customer_tenant", shown: "customer_id, tenant_id, state" },
  { consumer: "dns-verifier.customers", table: "dns_verifier.customer_tenant", shown: "customer_id, tenant_id, state" },
  {
    consumer: "bank-fetcher.customers",
    table: "bank_fetcher.customer",
    shown: "customer_id, tenant_id, number, name, state"
  },
  {
    consumer: "dns-verifier.mail-domains",
    table: "dns_verifier.mail_domain",
    shown: "mail_domain_id, name, state, records"
  },
  { consumer: "identity.mail-accounts", table: "identity.mail_account", shown: "address, user_id, tenant_id, state" },
  { consumer: "provisioning.users", table: "provisioning.known_user", shown: "user_id, email, name, role, state" },
  { consumer: "provisioning.mailboxes", table: "provisioning.known_mailbox", shown: "address, user_id, state" },
  {
    consumer: "provisioning.extensions",
    table: "provisioning.known_extension",
    shown: "extension_id, extension, domain, user_id, state"
  },
  { consumer: "mail-watcher.own-accounts", table: "mail_watcher.account", shown: "address, user_id, state, gone" },
  { consumer: "gateway.bans", table: "gateway.ban", shown: "address::text, rule" },
  { consumer: "gateway.exemptions", table: "gateway.exemption", shown: "address::text, until" },
  { consumer: "watchdog.bans", table: "watchdog.decision", shown: "address::text, rule" },
  { consumer: "watchdog.maintenance", table: "watchdog.maintenance", shown: "id, components, starts_at, ends_at" },
  { consumer: "watchdog.readers", table: "watchdog.alert_reader", shown: "user_id, email, state" }
]

/** Consumers of state events that write into tables of their daemon's own things. */
export const notEmptied = [
  "mail-admin.record-checks",
  "mail-admin.proven-names",
  "dns-verifier.proven-names",
  "sip-config.proven-names"
]

export const daemons = [
  identity,
  mailAdmin,
  mailWatcher,
  commDispatcher,
  sipConfig,
  dnsVerifier,
  bankFetcher,
  provisioning,
  watchdog
]

export const env = {
  SIGNALBOX_MAIL_LOOKUP_PORT: "0",
  SIGNALBOX_MAIL_HOST: "mx.provider.test",
  SIGNALBOX_PLATFORM_IPV4: "192.0.2.10"
}

/** The rows of each projection. */
export const contents = (sql: SqlClient.SqlClient, of: ReadonlyArray<Projection> = projections) =>
  Effect.forEach(of, ({ consumer, shown, table }) =>
    Effect.map(sql`select ${sql.literal(shown)} from ${sql.literal(table)} order by 1, 2`, (rows) => ({
      consumer,
      rows: rows.map((row) => ({ ...row }))
    }))
  )

/** Waits until every consumer has passed every event. `prune` keeps what a consumer has not passed. */
export const allRead = (sql: SqlClient.SqlClient) =>
  until(
    "all have read everything",
    Effect.map(
      sql`select 1 from core.event_cursor c, core.event e where (c.xid, c.id) < (e.xid, e.id)`,
      ({ length }) => length === 0
    ),
    20
  )

/** Waits until every job that is due has ended. */
export const allDone = (sql: SqlClient.SqlClient) =>
  until(
    "all jobs have ended",
    Effect.map(
      sql`select 1 from pgboss.job where state in ('created', 'retry', 'active') and start_after <= now()`,
      ({ length }) => length === 0
    ),
    20
  )

/**
 * Runs all daemons until each has read two users, a customer, a mail domain, a mailbox, a deleted mailbox and a ban, of
 * which an admin is notified. Then stops them and makes all events 20 days old. `more`: further events, emitted while
 * the daemons run.
 */
export const prepare = Effect.fnUntraced(function* (
  database: FreshDatabase,
  sql: SqlClient.SqlClient,
  more: Effect.Effect<unknown, unknown> = Effect.void
) {
  yield* Effect.scoped(live(database, sql, more))
  const fromBeginning = yield* sql<{ consumer: string }>`select consumer from core.event_cursor where since is null`
  expect(new Set(fromBeginning.map(({ consumer }) => consumer))).toEqual(
    new Set([...projections.map(({ consumer }) => consumer), ...notEmptied])
  )
  for (const { consumer, rows } of yield* contents(sql)) expect(rows, consumer).not.toEqual([])
  yield* sql`update core.event set at = at - interval '20 days'`
})

const live = Effect.fnUntraced(function* (
  database: FreshDatabase,
  sql: SqlClient.SqlClient,
  more: Effect.Effect<unknown, unknown>
) {
  const first = yield* startSuite({ daemons, gateway: true, env, database })
  const token = yield* first.token
  const post = Effect.fnUntraced(function* (path: string, body: object) {
    const { json, status, text } = yield* first.call("POST", `/api/v1/${path}`, { token, body })
    return status === 201 ? json : yield* Effect.die(new Error(`${path}: ${text}`))
  })
  const password = "four words in a row"
  yield* post("users", { email: "root@late.test", name: "Root", role: "admin", locale: "en", password })
  yield* until(
    "the admin can be notified",
    Effect.map(sql`select 1 from comm_dispatcher.member`, ({ length }) => length === 1),
    30
  )
  // Before the changes below, which wake the readers.
  yield* sql`insert into core.event (type, source, data) values ('security.ban.added', 'test',
    jsonb_build_object('address', '192.0.2.99', 'rule', 'late', 'until', now() + interval '60 days'))`
  yield* sql`insert into core.event (type, source, data) values ('security.exemption.added', 'test',
    jsonb_build_object('address', '198.51.100.99', 'until', now() + interval '60 days'))`
  yield* sql`insert into core.event (type, source, data) values ('status.maintenance.changed', 'test',
    jsonb_build_object('maintenance_id', 'late', 'title', 'Umbau', 'title_en', 'Works',
      'components', jsonb_build_array('mail'), 'state', 'announced', 'starts_at', ${inDays(60)}::text,
      'ends_at', ${inDays(61)}::text))`
  const tenant = (yield* post("tenants", { name: "Late" })).id
  yield* post("users", { email: "ann@late.test", name: "Ann", role: "user", locale: "en", password, tenant_id: tenant })
  yield* post("crm/customers", { number: "K-1", name: "Late Ltd", phones: ["+49301234567"], locale: "de" })
  yield* post("sip/extensions", { extension: "1001", name: "Ann", domain: "voice.late.test" })
  const domain = yield* post("mail/domains", { domain: "late.test", customer_id: 99, tenant_id: tenant })
  yield* post(`mail/domains/${domain.id}/accounts`, { local_part: "ann", password })
  const gone = yield* post(`mail/domains/${domain.id}/accounts`, { local_part: "gone", password })
  yield* first.call("DELETE", `/api/v1/mail/accounts/${gone.id}`, { token })
  yield* Effect.orDie(more)
  yield* until(
    "the admin is notified of the ban",
    Effect.map(sql`select 1 from comm_dispatcher.notification`, ({ length }) => length === 1),
    30
  )
  yield* allRead(sql)
  yield* allDone(sql)
})
