/**
 * Daemons that start 20 days after the others, or lost everything they had read: each projection is complete within ten
 * seconds, although all old events are deleted. Also after an upgrade from a version that deleted the newest states.
 */
import { expect, it } from "@effect/vitest"
import { Effect, Exit, Scope } from "effect"
import { SqlClient } from "effect/sql"
import * as Events from "#core/events/Events.ts"
import { commDispatcher } from "#daemons/comm-dispatcher/Daemon.ts"
import { dnsVerifier } from "#daemons/dns-verifier/Daemon.ts"
import { identity } from "#daemons/identity/Daemon.ts"
import { told as identityTold } from "#daemons/identity/users/migrations/0008_told.ts"
import { mailAdmin } from "#daemons/mail-admin/Daemon.ts"
import { told as mailTold } from "#daemons/mail-admin/domains/migrations/0008_told.ts"
import { mailWatcher } from "#daemons/mail-watcher/Daemon.ts"
import { told as customersTold } from "#daemons/sip-config/customers/migrations/0007_told.ts"
import { sipConfig } from "#daemons/sip-config/Daemon.ts"
import { client, until } from "#support/Frame.ts"
import { freshDatabase } from "#support/Postgres.ts"
import { startSuite } from "#support/TestSuite.ts"

/** Consumers, and what each has read: a query whose rows are compared. */
const projections: ReadonlyArray<{ readonly consumer: string; readonly table: string; readonly shown: string }> = [
  { consumer: "comm-dispatcher.members", table: "comm_dispatcher.member", shown: "user_id, tenant_id, email, state" },
  { consumer: "mail-admin.users", table: "mail_admin.known_user", shown: "user_id, tenant_id, email, state" },
  { consumer: "mail-admin.customers", table: "mail_admin.customer_tenant", shown: "customer_id, tenant_id, state" },
  { consumer: "dns-verifier.customers", table: "dns_verifier.customer_tenant", shown: "customer_id, tenant_id, state" },
  {
    consumer: "dns-verifier.mail-domains",
    table: "dns_verifier.mail_domain",
    shown: "mail_domain_id, name, state, records"
  },
  { consumer: "identity.mail-accounts", table: "identity.mail_account", shown: "address, user_id, tenant_id, state" },
  { consumer: "mail-watcher.own-accounts", table: "mail_watcher.account", shown: "address, user_id, state, gone" },
  { consumer: "gateway.bans", table: "gateway.ban", shown: "address::text, rule" }
]

/** Consumers of state events that write into tables of their daemon's own things. */
const notEmptied = ["mail-admin.record-checks", "mail-admin.proven-names"]

/** The tables without what only the events of deleted things told. */
const alive = (rows: ReadonlyArray<Record<string, unknown>>) =>
  rows.filter(({ gone, state }) => state !== "deleted" && gone !== true)

const daemons = [identity, mailAdmin, mailWatcher, commDispatcher, sipConfig, dnsVerifier]
const env = {
  SIGNALBOX_POLICY_PORT: "0",
  SIGNALBOX_MAIL_LOOKUP_PORT: "0",
  SIGNALBOX_MAIL_HOST: "mx.provider.test",
  SIGNALBOX_PLATFORM_IPV4: "192.0.2.10"
}

const contents = (sql: SqlClient.SqlClient) =>
  Effect.forEach(projections, ({ consumer, shown, table }) =>
    Effect.map(sql`select ${sql.literal(shown)} from ${sql.literal(table)} order by 1`, (rows) => ({
      consumer,
      rows: rows.map((row) => ({ ...row }))
    }))
  )

it.live.each(["pruning", "an upgrade"])(
  "each projection is complete within ten seconds, 20 days late, after %s",
  (after) =>
    Effect.gen(function* () {
      const database = yield* freshDatabase
      const sql = yield* client(database.target)
      const scope = yield* Scope.make()
      const first = yield* Scope.provide(startSuite({ daemons, gateway: true, env, database }), scope)
      const token = yield* first.token
      const post = Effect.fnUntraced(function* (path: string, body: object) {
        const { json, status, text } = yield* first.call("POST", `/api/v1/${path}`, { token, body })
        return status === 201 ? json : yield* Effect.die(new Error(`${path}: ${text}`))
      })
      // Before the changes below, which wake the readers.
      yield* sql`insert into core.event (type, source, data) values ('security.ban.added', 'test',
        jsonb_build_object('address', '192.0.2.99', 'rule', 'late', 'until', now() + interval '60 days'))`
      const tenant = (yield* post("tenants", { name: "Late" })).id
      const password = "four words in a row"
      yield* post("users", {
        email: "ann@late.test",
        name: "Ann",
        role: "user",
        locale: "en",
        password,
        tenant_id: tenant
      })
      yield* post("crm/customers", { number: "K-1", name: "Late Ltd", phones: ["+49301234567"], locale: "de" })
      const domain = yield* post("mail/domains", { domain: "late.test", customer_id: 1, tenant_id: tenant })
      yield* post(`mail/domains/${domain.id}/accounts`, { local_part: "ann", password })
      const gone = yield* post(`mail/domains/${domain.id}/accounts`, { local_part: "gone", password })
      yield* first.call("DELETE", `/api/v1/mail/accounts/${gone.id}`, { token })
      yield* until(
        "all have read everything",
        Effect.map(
          sql`select 1 from core.event_cursor c, core.event e where c.since is null and (c.xid, c.id) < (e.xid, e.id)`,
          ({ length }) => length === 0
        ),
        20
      )
      const fromBeginning = yield* sql<{ consumer: string }>`select consumer from core.event_cursor where since is null`
      expect(new Set(fromBeginning.map(({ consumer }) => consumer))).toEqual(
        new Set([...projections.map(({ consumer }) => consumer), ...notEmptied])
      )
      const before = yield* contents(sql)
      for (const { consumer, rows } of before) expect(rows, consumer).not.toEqual([])
      const kept = ({ consumer, rows }: (typeof before)[number]) => ({
        consumer,
        rows: after === "pruning" ? rows : alive(rows)
      })

      yield* sql`update core.event set at = at - interval '20 days'`
      yield* Scope.close(scope, Exit.void)
      if (after === "pruning") yield* Events.prune(14).pipe(Effect.provideService(SqlClient.SqlClient, sql))
      else {
        yield* sql`delete from core.event where type !~ '^(domain|security|name|dns)[.]'`
        for (const { statements } of [identityTold, mailTold, customersTold]) {
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
        Effect.map(contents(sql), (all) => JSON.stringify(all.map(kept)) === JSON.stringify(before.map(kept))),
        10
      )
      expect((yield* contents(sql)).map(kept)).toEqual(before.map(kept))
    }),
  90_000
)
