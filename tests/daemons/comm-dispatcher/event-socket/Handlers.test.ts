/** Endpoints of the event log: visibility, full pages, and counts without information about other users' events. */
import { assert, describe, layer } from "@effect/vitest"
import { Context, Effect, Layer, Redacted, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import * as ServiceTokenStore from "#core/auth/ServiceTokenStore.ts"
import { commDispatcher } from "#daemons/comm-dispatcher/Daemon.ts"
import { fakeUser, fakeUsers } from "#support/FakeUsers.ts"
import { startSuite, type TestSuite } from "#support/TestSuite.ts"
import type { Who } from "#support/walk/Case.ts"

class Place extends Context.Service<Place, TestSuite>()("test/Place") {
  static readonly layer = Layer.effect(Place, startSuite({ daemons: [commDispatcher], verifier: fakeUsers }))
}

interface Item {
  readonly id: string
  readonly type: string
  readonly tenant_id: number | null
  readonly user_id: number | null
  readonly source: string
  readonly at: string
  readonly data: { readonly n: number }
}

/** Days before the events that the daemon emits at its start, and too young for the deletion of old events. */
const [day, nextDay] = [5, 4].map((days) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10))
const query = `since=${day}T00:00:00Z&until=${nextDay}T00:00:00Z`

const ask = Effect.fnUntraced(function* (who: Who | "platform", path: string) {
  const suite = yield* Place
  const answer = yield* suite.call(
    "GET",
    `/api/v1/events${path}`,
    who === "platform" ? { token: yield* suite.token } : { headers: who.headers }
  )
  assert.strictEqual(answer.status, 200, answer.text)
  return answer.json
})

/** All events, read in pages of `limit`. */
const all = Effect.fnUntraced(function* (who: Who | "platform", more: string, limit = 2) {
  const items: Array<Item> = []
  const sizes: Array<number> = []
  let before = ""
  do {
    const page: { items: Array<Item>; next_before: string | null } = yield* ask(
      who,
      `?${query}&limit=${limit}${more}${before}`
    )
    items.push(...page.items)
    sizes.push(page.items.length)
    before = page.next_before === null ? "" : `&before=${page.next_before}`
  } while (before !== "")
  return { items, sizes, numbers: items.map(({ data }) => data.n) }
})

const anna = fakeUser("A", 7, "mail.read", 70)
const bert = fakeUser("B", 7, "", 71)
const other = fakeUser("C", 8, "*", 80)

/** Events in intervals of one minute: type, tenant and user. */
const story: ReadonlyArray<readonly [type: string, tenant: number | null, user: number | null]> = [
  ["order.created", 7, null],
  ["mail.account.created", 7, null],
  ["mail.account.created", 7, 71],
  ["order.created", 8, null],
  ["order.paid", 7, 70],
  ["orderly.seen", 7, null],
  ["security.ban", 7, null],
  ["cluster.moved", null, null],
  ["order.created", 7, null],
  ["mail.new_message", 7, 71]
]

const written = Effect.fnUntraced(function* () {
  const { sql } = yield* Place
  const rows = story.map(([type, tenant, user], n) => ({ n, type, tenant, user, at: `${day}T10:0${n}:00.123456Z` }))
  yield* sql`delete from core.event where source = 'test'`
  yield* sql`insert into core.event (type, source, tenant_id, user_id, data, at)
    select r.type, 'test', r.tenant, r."user", jsonb_build_object('n', r.n), r.at
      from jsonb_to_recordset(${sql.json(rows)}::jsonb) r (n int, type text, tenant int, "user" int, at timestamptz) order by r.n`
  yield* visible("order.created", 3)
})

/** Waits for `count` events of a type in the log. An older open transaction, as at the daemon's start, delays them. */
const visible = (type: string, count: number) =>
  Effect.repeat(all("platform", `&pattern=${type}`, 50), {
    until: ({ numbers }) => numbers.length === count,
    schedule: Schedule.spaced("10 millis")
  })

describe("the log of events", () => {
  layer(Place.layer, { excludeTestServices: true })((it) => {
    it.effect("shows each reader what is theirs, in full pages, newest first", () =>
      Effect.gen(function* () {
        yield* written()
        const seen = Effect.fnUntraced(function* (who: Who | "platform", more = "") {
          const { numbers, sizes } = yield* all(who, more)
          // Other users' events leave no gaps: every page except the last is full.
          assert.isTrue(
            sizes.slice(0, -1).every((size) => size === 2) && (sizes.at(-1)! > 0 || numbers.length === 0),
            String(sizes)
          )
          return numbers
        })
        assert.deepStrictEqual(yield* seen(anna), [8, 5, 4, 1, 0])
        assert.deepStrictEqual(yield* seen(bert), [9, 8, 5, 2, 0])
        assert.deepStrictEqual(yield* seen(other), [3])
        assert.deepStrictEqual(yield* seen("platform"), [9, 8, 7, 6, 5, 4, 3, 2, 1, 0])
        assert.deepStrictEqual(yield* seen(anna, "&pattern=order.*"), [8, 4, 0])
        assert.deepStrictEqual(yield* seen(anna, "&pattern=order.created"), [8, 0])
        assert.deepStrictEqual(yield* seen(bert, "&pattern=mail.*"), [9, 2])
        assert.deepStrictEqual(yield* seen(bert, "&pattern=mail.account.created"), [2])
        assert.deepStrictEqual(yield* seen(bert, "&pattern=security.ban"), [])
        assert.deepStrictEqual(yield* seen("platform", "&pattern=security.*"), [6])
        assert.deepStrictEqual(yield* seen("platform", "&pattern=nothing.*"), [])
      })
    )

    it.effect("tells of an event all there is, by the id that the socket has for it", () =>
      Effect.gen(function* () {
        yield* written()
        const { sql } = yield* Place
        const [row] = yield* sql<{
          id: string
        }>`select xid || '-' || id as id from core.event where source = 'test' and data->>'n' = '4'`
        const { items } = yield* all(anna, "&pattern=order.paid")
        assert.deepStrictEqual(items, [
          {
            id: row!.id,
            type: "order.paid",
            tenant_id: 7,
            user_id: 70,
            source: "test",
            at: `${day}T10:04:00.123Z`,
            data: { n: 4 }
          }
        ])
      })
    )

    it.effect("goes on before any position, also one whose event is gone or that is another's", () =>
      Effect.gen(function* () {
        yield* written()
        const { sql } = yield* Place
        const idOf = (n: number) =>
          Effect.map(
            sql<{
              id: string
            }>`select xid || '-' || id as id from core.event where source = 'test' and data->>'n' = ${String(n)}`,
            ([row]) => row!.id
          )
        const [gone, foreign] = [yield* idOf(5), yield* idOf(3)]
        yield* sql`delete from core.event where source = 'test' and data->>'n' = '5'`
        const before = (id: string) =>
          Effect.map(ask(anna, `?${query}&before=${id}`), ({ items }) => items.map(({ data }: Item) => data.n))
        assert.deepStrictEqual(yield* before(gone), [4, 1, 0])
        assert.deepStrictEqual(yield* before(foreign), [1, 0])
        assert.deepStrictEqual(yield* before("0-0"), [])
        // Position of a socket that has just started to listen.
        assert.deepStrictEqual(yield* before("18446744073709551615-0"), [8, 4, 1, 0])
      })
    )

    it.effect("ends a page early when its events are long, and goes on behind it", () =>
      Effect.gen(function* () {
        const { sql } = yield* Place
        yield* sql`insert into core.event (type, source, tenant_id, data, at)
          select 'long.one', 'test', 9, jsonb_build_object('n', n, 'text', repeat('x', 1500000)), ${day}::timestamptz + n * interval '1 minute' from generate_series(1, 7) n`
        yield* visible("long.*", 7)
        const { numbers, sizes } = yield* all("platform", "&pattern=long.*", 50)
        assert.deepStrictEqual(numbers, [7, 6, 5, 4, 3, 2, 1])
        assert.deepStrictEqual(sizes, [3, 3, 1])
      })
    )

    it.effect("is counted by type and bucket, of what the reader may see, its end not included", () =>
      Effect.gen(function* () {
        yield* written()
        const counts = Effect.fnUntraced(function* (who: Who | "platform", more = "") {
          const { buckets } = yield* ask(
            who,
            `/histogram?since=${day}T10:00:00Z&until=${day}T10:09:00Z&buckets=3${more}`
          )
          assert.deepStrictEqual(
            buckets.map(({ at }: { at: string }) => at.slice(11, 16)),
            ["10:00", "10:03", "10:06"]
          )
          return buckets.map((bucket: { counts: object }) => bucket.counts)
        })
        assert.deepStrictEqual(yield* counts(anna), [
          { "order.created": 1, "mail.account.created": 1 },
          { "order.paid": 1, "orderly.seen": 1 },
          { "order.created": 1 }
        ])
        assert.deepStrictEqual(yield* counts(bert), [
          { "order.created": 1, "mail.account.created": 1 },
          { "orderly.seen": 1 },
          { "order.created": 1 }
        ])
        assert.deepStrictEqual(yield* counts(other), [{}, { "order.created": 1 }, {}])
        assert.deepStrictEqual(yield* counts("platform", "&pattern=*"), [
          { "order.created": 1, "mail.account.created": 2 },
          { "order.created": 1, "order.paid": 1, "orderly.seen": 1 },
          { "security.ban": 1, "cluster.moved": 1, "order.created": 1 }
        ])
        // Two events of one type in the same bucket: one for everybody in the tenant, one for this user.
        const { sql } = yield* Place
        yield* sql`insert into core.event (type, source, tenant_id, user_id, data, at) values ('order.created', 'test', 7, 70, '{"n": 0}', ${`${day}T10:01:00Z`}::timestamptz)`
        yield* visible("order.created", 4)
        assert.deepStrictEqual((yield* counts(anna, "&pattern=order.*"))[0], { "order.created": 2 })
      })
    )

    it.effect("refuses what it does not understand, by name", () =>
      Effect.gen(function* () {
        const suite = yield* Place
        const wrong: ReadonlyArray<readonly [string, string]> = [
          ["?limit=0", "query.limit"],
          ["?before=7", "query.before"],
          ["?before=99999999999999999999-1", "query.before"],
          ["?pattern=mail*", "query.pattern"],
          ["?since=yesterday", "query.since"],
          ["?until=0000-01-01T00:00:00Z", "query.until"],
          ["/histogram?buckets=201", "query.buckets"],
          ["/histogram?since=2026-01-02T00:00:00Z&until=2026-01-01T00:00:00Z", "query.since"],
          ["/histogram?since=2025-01-02T00:00:00Z&until=2026-01-01T00:00:00Z", "query.since"]
        ]
        for (const [path, field] of wrong) {
          const { json, status } = yield* suite.call("GET", `/api/v1/events${path}`, { headers: anna.headers })
          assert.deepStrictEqual([path, status, json.errors?.[0]?.field], [path, 422, field])
        }
        assert.strictEqual((yield* suite.call("GET", "/api/v1/events")).status, 401)
        // A token with limited scopes has no access.
        const limited = yield* Effect.provideService(
          ServiceTokenStore.create({ name: "limited", scopes: ["mail.read"] }),
          SqlClient.SqlClient,
          suite.sql
        )
        const token = Redacted.value(limited.token)
        assert.strictEqual((yield* suite.call("GET", "/api/v1/events", { token })).status, 403)
      })
    )
  })
})
