/** The newest state of each thing outlives the other events, so that a late reader learns it. */
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { stateEvents, stateKey, tombstoneDays } from "#core/contracts/StateEvents.ts"
import * as Prune from "#core/events/Prune.ts"
import { inFrame } from "#support/Frame.ts"
import { freshDatabase } from "#support/Postgres.ts"

const emit = (type: string, data: object, days: number) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`insert into core.event (type, source, data, at)
      values (${type}, 'test', ${JSON.stringify(data)}::jsonb, now() - make_interval(days => ${days}))`
  )

it.live("the function in the database is the list of the contract", () =>
  Effect.gen(function* () {
    const { target } = yield* freshDatabase
    yield* inFrame(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        for (const { key, types } of stateEvents) {
          const data = JSON.stringify(Object.fromEntries(key.map((member, index) => [member, index + 1])))
          const [found] = yield* sql<{ ours: string | null; listed: string | null; none: string | null }>`
            select core.state_key(type, data) as ours, ${sql.literal(stateKey(stateEvents))} as listed,
              core.state_key(type, '{}') as none
            from (select ${`${types}x`}::text as type, ${data}::jsonb as data) e`
          expect([types, found!.ours, found!.none]).toEqual([types, found!.listed, null])
          expect(found!.ours).toContain(types)
        }
        const keyOf = (type: string, data: object) =>
          Effect.map(
            sql<{ key: string | null }>`select core.state_key(${type}, ${JSON.stringify(data)}::jsonb) as key`,
            ([row]) => row!.key
          )
        expect(yield* keyOf("name.proven", { kind: "mail", name: "a.test" })).toBe("name.proven mail a.test")
        expect(yield* keyOf("call.ended", { address: "a" })).toBeNull()
        // The underscore of a type is no wildcard.
        expect(yield* keyOf("dns.mail-records.checked", { domain: "a.test" })).toBeNull()
      }),
      { target }
    )
  })
)

it.live("pruning keeps the newest state of each thing, and that of a deleted one for a year", () =>
  Effect.gen(function* () {
    const { target } = yield* freshDatabase
    yield* inFrame(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const account = (address: string, version: number, state = "active") => ({ address, version, state })
        yield* emit("mail.account.created", account("a", 1), 40)
        yield* emit("mail.account.changed", account("a", 2), 30)
        yield* emit("mail.account.created", account("b", 1), 30)
        yield* emit("mail.account.deleted", account("b", 2, "deleted"), 20)
        yield* emit("mail.account.deleted", account("c", 2, "deleted"), tombstoneDays + 1)
        yield* emit("call.ended", {}, 20)
        yield* emit("call.ended", {}, 1)
        expect(yield* Prune.prune(14)).toBe(4)
        const left = yield* sql<{ type: string; of: string | null }>`select type, data->>'address' as of
          from core.event order by id`
        expect(left.map(({ of, type }) => `${type} ${of}`)).toEqual([
          "mail.account.changed a",
          "mail.account.deleted b",
          "call.ended null"
        ])
      }),
      { target }
    )
  })
)
