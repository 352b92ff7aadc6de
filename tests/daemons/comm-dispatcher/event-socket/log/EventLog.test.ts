/**
 * Reading a page of the event log costs a limited number of database pages, for every filter, caller and table size.
 */
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { parsePosition, seenBy } from "#core/events/EventFeed.ts"
import { commDispatcher } from "#daemons/comm-dispatcher/Daemon.ts"
import { countStatement } from "#daemons/comm-dispatcher/event-socket/log/EventCounts.ts"
import {
  armsOf,
  boundStatement,
  type LogFilter,
  pageStatement,
  type Reader,
  typesFor,
  typesStatement
} from "#daemons/comm-dispatcher/event-socket/log/EventLog.ts"
import { startSuite, type TestSuite } from "#support/TestSuite.ts"

const long = process.env["SIGNALBOX_TEST_LONG"] === "1"

/** Number of events. */
const many = long ? 1_000_000 : 100_000

/**
 * Largest number of 8 KiB database pages that a statement may read. Reason: 51 rows of each of 13 types in two ways,
 * and some index steps per row. The table has 1,500 pages in the short run.
 */
const aPage = 1_200

class Place extends Context.Service<Place, TestSuite>()("test/Place") {
  static readonly layer = Layer.effect(Place, startSuite({ daemons: [commDispatcher] }))
}

interface Plan {
  readonly "Shared Hit Blocks": number
  readonly "Shared Read Blocks": number
}

/**
 * Fills the table. In tenant 7 nearly all events are for user 700 or of type `busy.*`; the rare ones are the oldest.
 * Tenant 9 has almost none, tenant 8 the rest.
 */
const fill = ({ sql }: TestSuite, rows: number) =>
  Effect.gen(function* () {
    yield* sql`truncate core.event`
    yield* sql`insert into core.event (type, source, tenant_id, user_id, data, at)
      select case when n <= 5 then 'rare.seen' else 'busy.kind_' || n % 12 end, 'test', case when n % 2000 = 1 then 9 when n % 3 = 0 then 8 else 7 end,
             case when n % 10 > 1 then 700 end, jsonb_build_object('n', n), now() - interval '10 days' + n * interval '10 days' / ${rows}::int
        from generate_series(1, ${rows}::int) n`
    yield* sql`vacuum analyze core.event`
  })

const pages = (sql: SqlClient.SqlClient, asked: unknown) =>
  Effect.map(
    sql<{
      "QUERY PLAN": ReadonlyArray<{ readonly Plan: Plan }>
    }>`explain (analyze, buffers, format json) ${asked as never}`,
    ([row]) => {
      const plan = row!["QUERY PLAN"][0]!.Plan
      return plan["Shared Hit Blocks"] + plan["Shared Read Blocks"]
    }
  )

const permissions = new Set<never>()
const readers: ReadonlyArray<readonly [string, Reader]> = [
  ["the platform", null],
  ["the busy user", { tenantId: 7, userId: 700, permissions }],
  ["a quiet user beside them", { tenantId: 7, userId: 701, permissions }],
  ["a quiet tenant", { tenantId: 9, userId: 900, permissions }],
  ["nobody", { tenantId: 10, userId: 1000, permissions }]
]

const hours = (n: number) => new Date(Date.now() - n * 3600_000)
const filters: ReadonlyArray<Omit<LogFilter, "before"> & { readonly half?: true }> = [
  { pattern: "*" },
  { pattern: "*", half: true },
  { pattern: "*", since: hours(1) },
  { pattern: "*", until: hours(200) },
  { pattern: "rare.*" },
  { pattern: "rare.seen" },
  { pattern: "rare.seen", since: hours(2) },
  { pattern: "busy.*", until: hours(120) },
  { pattern: "busy.kind_3", half: true },
  { pattern: "never.*" }
]

layer(Place.layer, { excludeTestServices: true })("the log of events", (it) => {
  it.effect(
    "reads a page for a page, whatever is asked for",
    () =>
      Effect.gen(function* () {
        const suite = yield* Place
        const { sql } = suite
        yield* fill(suite, many)
        const [half] = yield* sql<{
          id: string
        }>`select xid || '-' || id as id from core.event where data->>'n' = ${String(many / 2)}`
        const position = parsePosition(half!.id)!
        const found = new Map([["types", yield* pages(sql, typesStatement(sql))]])
        for (const [who, reader] of readers) {
          for (const { half: fromHalf, ...filter } of filters) {
            const types = yield* Effect.provideService(typesFor(filter.pattern), SqlClient.SqlClient, sql)
            const read = Effect.gen(function* () {
              const own = yield* SqlClient.SqlClient
              const arms = armsOf(own, reader, types)
              const [before] = fromHalf ? yield* boundStatement(own, reader, position) : []
              return {
                bound: fromHalf ? yield* pages(own, boundStatement(own, reader, position)) : 0,
                page: yield* pages(own, pageStatement(own, arms, { ...filter, before }, 51)),
                count: yield* pages(
                  own,
                  countStatement(own, arms, { since: Date.now() - 10 * 60_000, until: Date.now(), buckets: 10 })
                )
              }
            })
            const cost = yield* Effect.provideService(seenBy(reader, read), SqlClient.SqlClient, sql)
            for (const [part, n] of Object.entries(cost))
              found.set(`${part} for ${who} ${JSON.stringify(filter)}${fromHalf ? " before half" : ""}`, n)
          }
        }
        assert.deepStrictEqual(
          [...found].filter(([, n]) => n > aPage),
          []
        )
      }),
    long ? 600_000 : 60_000
  )
})
