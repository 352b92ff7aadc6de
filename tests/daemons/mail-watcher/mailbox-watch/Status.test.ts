/** The watch status as owners and the platform see it. */
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { accountTopic } from "#daemons/mail-watcher/accounts/Account.ts"
import { mailWatcher } from "#daemons/mail-watcher/Daemon.ts"
import { fakeUsers } from "#support/FakeUsers.ts"
import { until } from "#support/Frame.ts"
import { startSuite } from "#support/TestSuite.ts"
import { as } from "../Watcher.ts"

it.live(
  "shows the status of own accounts only",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { call, sql, token } = yield* startSuite({ daemons: [mailWatcher], verifier: fakeUsers })
        const made = Effect.fnUntraced(function* (tenant: number, address: string) {
          const [row] = yield* sql<{
            id: number
          }>`insert into mail_watcher.account (tenant_id, user_id, address, kind, watch, imap_host, imap_port, password)
        values (${tenant}, ${tenant * 10}, ${address}, 'foreign', 'lazy', 'imap.example.org', 993, 'none') returning id`
          return row!.id
        })
        const [ann, bob, eve] = [
          yield* made(7, "ann@far.test"),
          yield* made(7, "bob@far.test"),
          yield* made(8, "eve@far.test")
        ]
        // An account of a different user in the same tenant.
        yield* sql`update mail_watcher.account set user_id = 71 where id = ${yield* made(7, "zoe@far.test")}`
        // The daemon records each lazy mailbox once. Rows written before that would be overwritten.
        yield* sql`select pg_notify('signalbox', ${accountTopic})`
        yield* until(
          "all mailboxes recorded",
          Effect.map(sql`select 1 from mail_watcher.watch where mode = 'lazy'`, (rows) => rows.length === 4)
        )
        const [since, event, next] = [
          "2026-01-02T03:04:05.000Z",
          "2026-01-02T04:00:00.000Z",
          "2026-01-02T05:00:00.000Z"
        ]
        yield* sql`update mail_watcher.watch set mode = 'failed', since = ${since}, folders = 2,
          last_failure = 'The mail server does not answer.', next_try_at = ${next} where account_id = ${ann}`
        for (const [name, at] of [
          ["INBOX", event],
          ["Sent", null]
        ]) {
          yield* sql`insert into mail_watcher.folder (account_id, tenant_id, name, uid_validity, uid_next, since, messages, unseen, event_at)
        values (${ann}, 7, ${name}, 1, 1, now(), 0, 0, ${at})`
        }
        const path = "/api/v1/mail/webmail/watcher/status"
        const of = (query: string, options: object) =>
          Effect.map(call("GET", `${path}${query}`, options), ({ json }) => json)
        const mine = yield* of("", as(7))
        expect(mine).toEqual({
          items: [
            {
              id: bob,
              account: "bob@far.test",
              mode: "lazy",
              since: expect.any(String),
              folders: 0,
              last_event_at: null,
              last_failure: null,
              next_try_at: null
            },
            {
              id: ann,
              account: "ann@far.test",
              mode: "failed",
              since,
              folders: 2,
              last_event_at: event,
              last_failure: "The mail server does not answer.",
              next_try_at: next
            }
          ],
          next_before: null
        })
        const platform = { token: yield* token }
        const addresses = ({ items }: any) => items.map(({ account }: any) => account)
        expect(addresses(yield* of("?account=ANN@far.test", as(7)))).toEqual(["ann@far.test"])
        expect(addresses(yield* of("", platform))).toEqual([
          "zoe@far.test",
          "eve@far.test",
          "bob@far.test",
          "ann@far.test"
        ])
        const first = yield* of("?limit=3", platform)
        expect([addresses(first), first.next_before]).toEqual([["zoe@far.test", "eve@far.test", "bob@far.test"], bob])
        expect(addresses(yield* of(`?limit=2&before=${bob}`, platform))).toEqual(["ann@far.test"])
        for (const other of ["eve", "zoe"])
          expect(yield* of(`?account=${other}@far.test`, as(7))).toMatchObject({ status: 404 })
        expect(eve).toBeGreaterThan(bob)
      })
    ),
  120_000
)
