import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { codeSends, reserveSend } from "#daemons/identity/factors/CodeSendLimit.ts"
import { identity } from "#daemons/identity/Daemon.ts"
import { startSuite } from "#support/TestSuite.ts"

it.live(
  "concurrent requests for the last permitted send: one succeeds",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { sql } = yield* startSuite({ daemons: [identity] })
        yield* Effect.gen(function* () {
          for (const account of Array.from({ length: 25 }, (_, index) => index + 1)) {
            for (let sent = 1; sent < codeSends.limit; sent++)
              expect(yield* reserveSend(account, `${account}`)).toBeUndefined()
            const both = yield* Effect.all([reserveSend(account, `${account}`), reserveSend(account, `${account}`)], {
              concurrency: 2
            })
            expect(both.filter((wait) => wait === undefined).length).toBe(1)
            expect(both.find((wait) => wait !== undefined)).toBeGreaterThan(590)
          }
        }).pipe(Effect.provideService(SqlClient.SqlClient, sql))
      })
    ),
  120_000
)

it.live("the limit ends ten minutes after the oldest counted send and does not affect other chats", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { sql } = yield* startSuite({ daemons: [identity] })
      yield* Effect.gen(function* () {
        for (let sent = 1; sent <= codeSends.limit; sent++) yield* reserveSend(1, "7")
        yield* sql`update identity.code_send set sent_at = sent_at - interval '4 minutes'`
        const wait = (yield* reserveSend(1, "8"))!
        expect([wait > 300, wait <= 360]).toEqual([true, true])
        expect(yield* reserveSend(2, "7")).toBeGreaterThan(300)
        expect(yield* reserveSend(2, "8")).toBeUndefined()
        yield* sql`update identity.code_send set sent_at = sent_at - interval '6 minutes'`
        expect(yield* reserveSend(1, "7")).toBeUndefined()
        // Expired rows are deleted.
        expect((yield* sql`select 1 from identity.code_send`).length).toBe(4)
      }).pipe(Effect.provideService(SqlClient.SqlClient, sql))
    })
  )
)
