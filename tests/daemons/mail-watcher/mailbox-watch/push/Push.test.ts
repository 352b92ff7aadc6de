/** Push requests of a mail server: authorisation, stored state, and little work during a flood. */
import { expect, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import * as ServiceTokenStore from "#core/auth/ServiceTokenStore.ts"
import { mailWatcher } from "#daemons/mail-watcher/Daemon.ts"
import { fakeUsers } from "#support/FakeUsers.ts"
import { until } from "#support/Frame.ts"
import { startSuite } from "#support/TestSuite.ts"
import { answered } from "../../../identity/mail-login/Answered.ts"
import { as } from "../../Watcher.ts"

const start = Effect.gen(function* () {
  const suite = yield* startSuite({ daemons: [mailWatcher], verifier: fakeUsers })
  const { sql } = suite
  const call = (...given: Parameters<typeof suite.call>) => answered(suite.call(...given))
  for (const [tenant, address] of [
    [7, "ann@ours.test"],
    [8, "ann@ours.test"],
    [8, "bob@ours.test"]
  ] as const) {
    yield* sql`insert into mail_watcher.account (tenant_id, user_id, address, kind, imap_host, imap_port, password)
      values (${tenant}, ${tenant * 10}, ${address}, 'foreign', 'imap.example.org', 993, 'x')`
  }
  const token = (scope: ServiceTokenStore.Scope) =>
    ServiceTokenStore.create({ name: "dovecot", scopes: [scope] }).pipe(
      Effect.map(({ token }) => Redacted.value(token)),
      Effect.provideService(SqlClient.SqlClient, sql)
    )
  const path = (address: string) => `/api/v1/mail/push/${encodeURIComponent(address)}`
  return {
    call,
    sql,
    token,
    path,
    push: (address: string, token: string, body?: unknown) =>
      call("POST", path(address), { token, ...(body === undefined ? {} : { body }) }),
    pushed: Effect.map(
      sql<{ address: string }>`select address from mail_watcher.account where pushed_at is not null order by id`,
      (rows) => rows.map(({ address }) => address)
    )
  }
})

it.live(
  "records a push with a valid token",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { call, path, push, pushed, sql, token } = yield* start
        const ann = path("ann@ours.test")
        const [good, platform, other] = [
          yield* token("mail-push"),
          yield* token("platform"),
          yield* token("introspection")
        ]
        const basic = (password: string) => ({
          headers: { authorization: `Basic ${Buffer.from(`dovecot:${password}`).toString("base64")}` }
        })
        const outcome = (options: object) =>
          Effect.map(call("POST", ann, options), ({ json, status }) => [status, json?.code])
        expect(yield* outcome({})).toEqual([401, "unauthenticated"])
        expect(yield* outcome({ token: "sbx_wrong" })).toEqual([401, "unauthenticated"])
        expect(yield* outcome(basic("sbx_wrong"))).toEqual([401, "unauthenticated"])
        // The two are one entry until the end of the minute.
        expect(yield* sql`select action, entity_type, entity_id from core.audit where action like 'refused.%'`).toEqual(
          [{ action: "refused.service_token", entity_type: "service_token", entity_id: "forged" }]
        )
        expect(yield* outcome(basic(other))).toEqual([403, "forbidden"])
        expect(yield* outcome({ token: other })).toEqual([403, "forbidden"])
        expect(yield* outcome(as(7))).toEqual([401, "unauthenticated"])
        expect(yield* pushed).toEqual([])
        // The push applies to every account with this address. The request's body does not matter.
        expect((yield* push("Ann@OURS.test", good, { user: "bob@ours.test" })).status).toBe(204)
        expect(yield* pushed).toEqual(["ann@ours.test", "ann@ours.test"])
        yield* sql`update mail_watcher.account set pushed_at = null`
        expect(yield* outcome(basic(good))).toEqual([204, undefined])
        expect((yield* push("bob@ours.test", platform)).status).toBe(204)
        expect((yield* push("nobody@ours.test", good)).json).toMatchObject({ status: 404, code: "not_found" })
        expect((yield* push("no address", good)).json).toMatchObject({ status: 404, code: "not_found" })
        yield* until(
          "all are noted",
          Effect.map(pushed, (all) => all.length === 3)
        )
      })
    ),
  120_000
)

it.live(
  "throttles pushes for one address",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { push, sql, token } = yield* start
        yield* sql`create table public.noted (at timestamptz)`
        yield* sql`create function public.note() returns trigger language plpgsql as 'begin insert into public.noted values (clock_timestamp()); return new; end'`
        yield* sql`create trigger note after update on mail_watcher.account for each statement execute function public.note()`
        const notes = Effect.map(
          sql<{ count: number; seconds: number }>`select count(*)::int as count,
      extract(epoch from max(at) - min(at))::float as seconds from public.noted`,
          ([row]) => row!
        )
        const good = yield* token("mail-push")
        const answers = yield* Effect.forEach(Array.from({ length: 300 }), () => push("bob@ours.test", good), {
          concurrency: 20
        })
        expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]))
        const [last] = yield* sql<{ at: Date }>`select clock_timestamp() as at`
        yield* push("bob@ours.test", good)
        yield* until(
          "the last word is noted",
          Effect.map(
            sql<{
              after: boolean
            }>`select pushed_at > ${last!.at} as after from mail_watcher.account where address = 'bob@ours.test'`,
            ([row]) => row!.after
          )
        )
        const { count, seconds } = yield* notes
        expect(count).toBeGreaterThan(1)
        expect(count).toBeLessThanOrEqual(2 + Math.ceil(seconds / 0.2))
      })
    ),
  120_000
)
