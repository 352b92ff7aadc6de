/** Workflows from the event to the interface, in the complete daemon. */
import { assert, describe, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { fakeUser } from "#support/FakeUsers.ts"
import { until } from "#support/Frame.ts"
import { type Dispatcher, runsPath, startDispatcher } from "../Dispatcher.ts"
import { member, numberOf } from "../notifications/NotificationCases.ts"
import { workflowsRead } from "./WorkflowsRead.ts"

class Place extends Context.Service<Place, Dispatcher>()("test/Place") {
  // Shortens an hour to 12 s.
  static readonly layer = Layer.effect(Place, Effect.tap(startDispatcher({ minute: 200 }), workflowsRead))
}

let tenants = 60
/** Creates a tenant with an admin. */
const tenant = Effect.fnUntraced(function* ({ sql }: Dispatcher) {
  const number = tenants++
  const admin = fakeUser("A", number, "*", number * 10)
  yield* member(sql, { tenant: number, user: numberOf(admin), role: "admin" })
  return { number, admin }
})

/** Emits an event like a daemon. */
const emit = ({ sql }: Dispatcher, type: string, data: unknown, tenantId: number | null) =>
  Effect.map(
    sql<{
      id: string
    }>`with e as (insert into core.event (type, source, tenant_id, data) values (${type}, 'test', ${tenantId}, ${sql.json(data)}) returning id)
      select id::text as id, pg_notify('signalbox', 'event')::text as rung from e`,
    ([row]) => row!.id
  )

const runsOf = ({ sql }: Dispatcher, eventId: string) =>
  sql<{
    id: string
    workflow: string
    state: string
  }>`select id::text as id, workflow, state from comm_dispatcher.run where event_id = ${eventId}::bigint`

/** Waits until the event's run has ended, and returns it. */
const endOf = (place: Dispatcher, eventId: string) =>
  Effect.gen(function* () {
    yield* until(
      "the run has ended",
      Effect.map(runsOf(place, eventId), ([run]) => run !== undefined && run.state !== "running"),
      20
    )
    const [run, ...more] = yield* runsOf(place, eventId)
    assert.deepStrictEqual(more, [])
    return yield* place.run(run!.id)
  })

const told = ({ suite }: Dispatcher, admin: ReturnType<typeof fakeUser>) =>
  Effect.map(
    suite.call("GET", "/api/v1/notifications", { headers: admin.headers }),
    ({ json }) => json.items as ReadonlyArray<any>
  )

const ban = (address: string, rule: string) => ({ address, rule, until: "2030-01-01T00:00:00.000Z" })

describe("workflows that events begin", () => {
  layer(Place.layer, { excludeTestServices: true })((it) => {
    it.effect(
      "an alarm that was not delivered is told to the admins of its tenant, with the way to it",
      () =>
        Effect.gen(function* () {
          const place = yield* Place
          const { admin, number } = yield* tenant(place)
          const body = { channels: [{ channel: "sms", target: "+4915112345678" }], text: "t", severity: "ALERT" }
          const { json } = yield* place.suite.call("POST", "/api/v1/comm/notify", { headers: admin.headers, body })
          yield* until(
            "the admin is told",
            Effect.map(told(place, admin), (items) => items.length > 0),
            20
          )
          const [item, ...more] = yield* told(place, admin)
          assert.deepStrictEqual(more, [])
          assert.deepInclude(item, {
            type: "alarm.failed",
            severity: "error",
            title: "ALERT: Nicht zugestellt: t",
            body:
              "Nicht erreicht: SMS +…78 (unsupported). 0 von 1 Ziel wurde erreicht; " +
              "kein weiterer Versuch folgt. Geben Sie den Alarm selbst weiter.",
            action_url: `/console/alarms/${json.run_id}`,
            tenant_id: number
          })
          const list = yield* place.suite.call("GET", `${runsPath}?workflow=alarm-not-delivered`, {
            headers: admin.headers
          })
          assert.deepStrictEqual(
            list.json.items.map((run: any) => [run.workflow, run.event_type, run.state, run.subject]),
            [["alarm-not-delivered", "alarm.finished", "done", `alarm ${json.run_id}: failed, 0 of 1 delivered`]]
          )
          const { json: run } = yield* place.suite.call("GET", `${runsPath}/${list.json.items[0].id}`, {
            headers: admin.headers
          })
          assert.deepStrictEqual(
            run.steps.map(({ detail, name, state }: any) => [name, state, detail]),
            [["notify.admins", "done", `asked for, to the admins of tenant ${number}`]]
          )
          assert.strictEqual(run.source.kind, "event")
          assert.deepStrictEqual([run.targets, run.sender], [[], "comm-dispatcher"])
          const both = yield* place.suite.call("GET", runsPath, { headers: admin.headers })
          assert.deepStrictEqual(
            both.json.items.map((one: any) => one.workflow),
            ["alarm-not-delivered", "alarm"]
          )
          const alarms = yield* place.suite.call("GET", `${runsPath}?workflow=alarm`, { headers: admin.headers })
          assert.deepStrictEqual(
            alarms.json.items.map((one: any) => one.id),
            [json.run_id]
          )
          const registry = yield* place.suite.call("GET", "/api/v1/workflows", { headers: admin.headers })
          assert.deepStrictEqual(
            registry.json.items.map(({ counts, name }: any) => [name, counts]),
            [
              ["alarm", { failed: 1 }],
              ["account-changed", {}],
              ["alarm-not-delivered", { done: 1 }],
              ["bank-fetch-failed", {}],
              ["bans-added", {}],
              ["support-requested", {}]
            ]
          )
          const statistics = yield* place.suite.call("GET", "/api/v1/workflows/statistics?buckets=2", {
            headers: admin.headers
          })
          assert.deepStrictEqual(
            statistics.json.buckets.map(({ severities, states }: any) => [states, severities]),
            [
              [{}, {}],
              [{ failed: 1, done: 1 }, { ALERT: 1 }]
            ]
          )
        }),
      120_000
    )

    it.effect(
      "an alarm that was delivered is told to nobody, and its events hold up nothing",
      () =>
        Effect.gen(function* () {
          const place = yield* Place
          const { admin, number } = yield* tenant(place)
          const alarm = yield* place.alarm(`INFO:WEBHOOK+${place.url}/quiet`)
          const id = yield* emit(place, "support.session.created", { session_code: "A\n7", channel: "web" }, number)
          const run = yield* endOf(place, id)
          assert.deepInclude(run, { workflow: "support-requested", state: "done", subject: "A\n7 by web" })
          yield* until(
            "the admin is told",
            Effect.map(told(place, admin), (items) => items.length > 0),
            20
          )
          assert.deepStrictEqual(
            (yield* told(place, admin)).map(({ title, type }) => [type, title]),
            [["support.session.created", "Hilfe angefragt: A 7"]]
          )
          assert.deepStrictEqual(
            [
              ...(yield* place.sql`select 1 from comm_dispatcher.run where workflow = 'alarm-not-delivered' and subject like ${`%${alarm.id}%`}`)
            ],
            []
          )
        }),
      120_000
    )

    it.effect(
      "bank statements that cannot be fetched are told to the admins of the tenant",
      () =>
        Effect.gen(function* () {
          const place = yield* Place
          const { admin, number } = yield* tenant(place)
          const away = fakeUser("Z", number, "*", number * 10 + 1)
          yield* member(place.sql, { tenant: number, user: numberOf(away), role: "admin", timeZone: "Asia/Tokyo" })
          const data = {
            account_id: "0b8f6a1e-0000-4000-8000-000000000001",
            tenant_id: number,
            account: "Hauptkonto",
            iban: "DE02120300000000202051",
            fetch_id: "0b8f6a1e-0000-4000-8000-000000000002",
            problem: "The bank does not answer: no answer within 60 s.",
            code: null,
            since: "2030-01-01T07:05:00.000Z"
          }
          const id = yield* emit(place, "bank.fetch.failed", data, number)
          assert.deepInclude(yield* endOf(place, id), { workflow: "bank-fetch-failed", state: "done" })
          yield* until(
            "the admin is told",
            Effect.map(told(place, admin), (items) => items.length > 0),
            20
          )
          const [item] = yield* told(place, admin)
          assert.deepInclude(item, {
            type: "bank.fetch.failed",
            severity: "error",
            title: "Kontoauszüge nicht abgeholt: Hauptkonto"
          })
          assert.match(
            item.body,
            /^Seit 1. Januar 2030 um 07:05 UTC lassen sich die Auszüge von DE02120300000000202051 /
          )
          const [abroad] = yield* told(place, away)
          assert.match(abroad.body, /^Seit 1. Januar 2030 um 16:05 GMT\+9 lassen sich die Auszüge /)
        }),
      120_000
    )

    it.effect(
      "a change to the security of an account is told to its owner alone, in their language",
      () =>
        Effect.gen(function* () {
          const place = yield* Place
          const { admin, number } = yield* tenant(place)
          const owner = fakeUser("O", number, "*", number * 10 + 1)
          yield* member(place.sql, { tenant: number, user: numberOf(owner), locale: "en-GB" })
          const at = "2030-01-01T00:00:00.000Z"
          const id = yield* emit(
            place,
            "identity.security.changed",
            { user_id: numberOf(owner), tenant_id: number, change: "second_factor_removed", at },
            number
          )
          const run = yield* endOf(place, id)
          assert.deepInclude(run, {
            workflow: "account-changed",
            state: "done",
            subject: `user ${numberOf(owner)}: second_factor_removed`
          })
          yield* until(
            "the owner is told",
            Effect.map(told(place, owner), (items) => items.length > 0),
            20
          )
          const [item, ...more] = yield* told(place, owner)
          assert.deepStrictEqual(more, [])
          assert.deepInclude(item, {
            type: "security.account.second_factor_removed",
            category: "security",
            severity: "warning",
            title: "A second factor was removed",
            action_url: "/console/settings"
          })
          assert.deepStrictEqual(yield* told(place, admin), [])
        }),
      120_000
    )

    it.effect(
      "an event that nobody can read fails its run, says why, and the next is taken up",
      () =>
        Effect.gen(function* () {
          const place = yield* Place
          const wrong = yield* emit(place, "security.ban.added", { address: 7 }, null)
          const right = yield* emit(place, "support.session.created", { session_code: "B8", channel: "web" }, 61)
          assert.strictEqual((yield* endOf(place, right)).state, "done")
          const run = yield* endOf(place, wrong)
          assert.deepInclude(run, { workflow: "bans-added", state: "failed", subject: "security.ban.added" })
          assert.match(run.reason, /does not match the contract/)
          assert.deepStrictEqual(
            run.steps.map(({ state }: any) => state),
            ["skipped"]
          )
        }),
      120_000
    )

    it.effect(
      "a flood of bans is one notification at once and one with the count at the end of the hour, each rule for itself",
      () =>
        Effect.gen(function* () {
          const place = yield* Place
          const admin = fakeUser("P", 1, "*", 19)
          yield* member(place.sql, { tenant: 1, user: 19, role: "admin" })
          const first = yield* emit(place, "security.ban.added", ban("192.0.2.1", "sip"), null)
          yield* endOf(place, first)
          const ids = yield* Effect.forEach(
            Array.from({ length: 12 }, (_, n) => `192.0.2.${n + 2}`),
            (address) => emit(place, "security.ban.added", ban(address, "sip"), null)
          )
          yield* emit(place, "security.ban.added", ban("198.51.100.1", "imap"), null)
          for (const id of ids)
            assert.match((yield* endOf(place, id)).steps[0].detail, /told with others of its kind at \d{4}-/)
          yield* until(
            "the hour is over",
            Effect.map(told(place, admin), (items) => items.length >= 3),
            30
          )
          assert.deepStrictEqual((yield* told(place, admin)).map(({ data, title }) => [title, data.count]).toSorted(), [
            ["12 Adressen gesperrt: sip", 12],
            ["Adresse gesperrt: imap", 1],
            ["Adresse gesperrt: sip", 1]
          ])
          // The next hour starts at this notice.
          const rows = yield* place.sql<{
            key: string
            waiting: number
            n: number
          }>`select key, waiting, (select count(*)::int from pgboss.job where name = 'workflow.digest') as n
          from comm_dispatcher.workflow_digest d where told_at > (select min(told_at) from comm_dispatcher.workflow_digest) order by told_at desc`
          assert.deepStrictEqual([...rows], [{ key: "sip", waiting: 0, n: 1 }])
        }),
      120_000
    )

    it.effect(
      "is not acknowledged: there is nothing to stop",
      () =>
        Effect.gen(function* () {
          const place = yield* Place
          const { admin, number } = yield* tenant(place)
          const run = yield* endOf(
            place,
            yield* emit(place, "support.session.created", { session_code: "C9", channel: "web" }, number)
          )
          const post = (who: { readonly headers: Readonly<Record<string, string>> }) =>
            place.suite.call("POST", `${runsPath}/${run.id}/acknowledge`, { headers: who.headers, body: null })
          const answer = yield* post(admin)
          assert.deepStrictEqual([answer.status, answer.json.code], [409, "not_an_alarm"])
          assert.strictEqual((yield* post(fakeUser("B", 8))).status, 404)
          assert.strictEqual((yield* place.run(run.id)).acknowledged_at, null)
        }),
      120_000
    )

    it.effect("statistics refuse a stretch without an end behind its beginning, and one too long", () =>
      Effect.gen(function* () {
        const { get } = yield* Place
        const ask = (query: string) =>
          Effect.map(get(`/api/v1/workflows/statistics?${query}`), ({ json, status }) => [
            status,
            json.errors?.[0].field
          ])
        assert.deepStrictEqual(yield* ask("since=2030-01-02T00:00:00Z&until=2030-01-01T00:00:00Z"), [
          422,
          "query.since"
        ])
        assert.deepStrictEqual(yield* ask("since=2020-01-01T00:00:00Z"), [422, "query.since"])
        assert.deepStrictEqual(yield* ask("buckets=501"), [422, "query.buckets"])
        assert.deepStrictEqual(yield* ask("until=yesterday"), [422, "query.until"])
        assert.deepStrictEqual(yield* ask("since=2030-01-01T00:00:00Z&until=2030-01-02T00:00:00Z"), [200, undefined])
      })
    )

    it.effect("health shows how far the registry is behind", () =>
      Effect.gen(function* () {
        const { get, sql } = yield* Place
        const component = Effect.map(get("/health"), ({ json }) => json.components.workflows)
        assert.deepInclude(yield* component, { status: "ok", workflows: 5, lag_s: 0 })
        // The event lies far ahead of the reader, so it stays unread.
        yield* sql`insert into core.event (xid, type, source, data, at) values ('9000000000', 'security.ban.added', 'test', '{}', now() - interval '5 minutes')`
        const late = yield* component
        assert.strictEqual(late.status, "degraded")
        assert.isAtLeast(late.lag_s, 300)
        // An event that no workflow uses is no lag.
        yield* sql`update core.event set type = 'nobody.asks' where xid = '9000000000'`
        assert.deepInclude(yield* component, { status: "ok", lag_s: 0 })
      })
    )
  })
})
