import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { find, lookup } from "#daemons/sip-config/customers/Lookup.ts"
import { startTelephony } from "../Telephony.ts"

/** Largest number of database pages that a look-up may read, for any number of customers. */
const mostPages = 8

const counts = process.env["SIGNALBOX_TEST_LONG"] === "1" ? [1_000, 1_000_000] : [1_000]

it.live("callers are found by the last ten digits, in the tenant alone, the oldest first", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { sql } = yield* startTelephony()
      yield* sql`insert into sip_config.customer (tenant_id, number, name, locale) values (7, 'A', 'Ann', 'de'), (7, 'B', 'Bob', 'en'), (8, 'C', 'Cid', 'fr')`
      yield* sql`insert into sip_config.customer_phone (tenant_id, customer_id, phone, tail)
      values (7, 2, '+49301234567', '9301234567'), (7, 1, '+49301234567', '9301234567'), (8, 3, '+49301234567', '9301234567'), (7, 2, '+4312345', '4312345')`
      const found = (tenant: number, caller: string) =>
        Effect.map(find(tenant, caller), (known) => known.map(({ name }) => name)).pipe(
          Effect.provideService(SqlClient.SqlClient, sql)
        )
      for (const [tenant, caller, name] of [
        [7, "+49301234567", ["Ann", "Bob"]],
        [7, "0049301234567", ["Ann", "Bob"]],
        [7, "sip:+49 30 1234567", ["Ann", "Bob"]],
        [8, "+49301234567", ["Cid"]],
        [9, "+49301234567", []],
        [7, "anonymous", []],
        [7, "", []],
        [7, "4312345", ["Bob"]],
        [7, "1001", []]
      ] as const)
        expect([caller, yield* found(tenant, caller)]).toEqual([caller, name])
    })
  )
)

it.live(
  `it reads at most ${mostPages} pages of ${counts.map((count) => count.toLocaleString("en")).join(" and ")} customers`,
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { sql } = yield* startTelephony()
        let before = 0
        for (const count of counts) {
          // Inserts in portions, so that each statement stays within its timeout.
          for (; before < count; before += Math.min(100_000, count - before)) {
            const upto = before + Math.min(100_000, count - before)
            yield* sql`insert into sip_config.customer (tenant_id, number, name, locale)
          select 7, 'N-' || n, 'Customer number ' || n, 'de' from generate_series(${before}::int + 1, ${upto}::int) n`
          }
          yield* sql`insert into sip_config.customer_phone (tenant_id, customer_id, phone, tail)
        select 7, id, '+4930' || (1000000 + id), right('4930' || (1000000 + id), 10) from sip_config.customer c
        where not exists (select 1 from sip_config.customer_phone p where p.customer_id = c.id)`
          yield* sql`vacuum analyze sip_config.customer`
          yield* sql`vacuum analyze sip_config.customer_phone`
          for (const id of [1, Math.floor(count / 2), count]) {
            const digits = `4930${1_000_000 + id}`.slice(-10)
            expect(yield* lookup(sql, 7, digits)).toEqual([expect.objectContaining({ id })])
            expect([count, id, (yield* pages(sql, digits)) <= mostPages]).toEqual([count, id, true])
          }
        }
      })
    ),
  180_000
)

/** Pages that the statement reads, from memory or from disk. */
const pages = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, digits: string) {
  const [row] = yield* sql<{ "QUERY PLAN": any }>`explain (analyze, buffers, format json) ${lookup(sql, 7, digits)}`
  const { Plan: plan } = row!["QUERY PLAN"][0]
  return (plan["Shared Hit Blocks"] + plan["Shared Read Blocks"]) as number
})
