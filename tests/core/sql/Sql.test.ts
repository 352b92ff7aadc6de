import { expect, it } from "@effect/vitest"
import { Cause, Effect, Exit } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import { Database } from "#core/sql/Database.ts"
import { isAway, requireTransaction, transaction } from "#core/sql/Sql.ts"
import { client, inFrame } from "#support/Frame.ts"

const failureOf = (exit: Exit.Exit<unknown, unknown>) => {
  expect(Exit.isFailure(exit)).toBe(true)
  const { reasons } = (exit as Exit.Failure<unknown, unknown>).cause
  return reasons.map((reason) => (Cause.isFailReason(reason) ? reason.error : reason))
}

it.live("a connection lost inside a transaction is a retryable failure, not a defect", () =>
  inFrame(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [error] = failureOf(yield* Effect.exit(transaction(sql`select pg_terminate_backend(pg_backend_pid())`)))
      expect(SqlError.isSqlError(error)).toBe(true)
      expect(isAway(error)).toBe(true)
      expect(yield* sql`select 1 as one`).toEqual([{ one: 1 }])
    })
  )
)

it.live("a connection lost between two statements is a retryable failure", () =>
  inFrame(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { target } = yield* Database
      const outside = yield* client(target)
      const exit = yield* Effect.exit(
        transaction(
          Effect.gen(function* () {
            const [row] = yield* sql<{ pid: number }>`select pg_backend_pid() as pid`
            yield* outside`select pg_terminate_backend(${row!.pid}, 1000)`
            yield* sql`select 1`
          })
        )
      )
      const [error] = failureOf(exit)
      expect(isAway(error)).toBe(true)
    })
  )
)

it.live("a defect inside a transaction stays a defect, and a typed failure stays itself", () =>
  inFrame(
    Effect.gen(function* () {
      const broken = new Error("broken")
      const died = yield* Effect.exit(transaction(Effect.die(broken)))
      expect(Exit.isFailure(died) && Cause.hasDies(died.cause) && Cause.squash(died.cause)).toBe(broken)
      expect(failureOf(yield* Effect.exit(transaction(Effect.fail("refused"))))).toEqual(["refused"])
    })
  )
)

it.live("an invalid statement is not retryable", () =>
  inFrame(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [error] = failureOf(yield* Effect.exit(transaction(sql`select * from nowhere`)))
      expect(SqlError.isSqlError(error)).toBe(true)
      expect(isAway(error)).toBe(false)
      expect(isAway(new Error("other"))).toBe(false)
    })
  )
)

it.live("a nested transaction is a savepoint", () =>
  inFrame(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`create table kept (n int)`
      yield* transaction(
        Effect.gen(function* () {
          yield* sql`insert into kept values (1)`
          yield* Effect.exit(transaction(Effect.andThen(sql`insert into kept values (2)`, sql`select 1 / 0`)))
          yield* sql`insert into kept values (3)`
        })
      )
      expect(yield* sql`select n from kept order by n`).toEqual([{ n: 1 }, { n: 3 }])
    })
  )
)

it.live("requireTransaction fails outside a transaction", () =>
  inFrame(
    Effect.gen(function* () {
      const outside = yield* Effect.exit(requireTransaction)
      expect(Exit.isFailure(outside) && Cause.hasDies(outside.cause)).toBe(true)
      yield* transaction(requireTransaction)
    })
  )
)

it.live("reads a value as long as the largest mail", () =>
  inFrame(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [row] = yield* sql<{ text: string }>`select repeat('x', ${35 * 1024 * 1024}::int) as text`
      expect(row!.text.length).toBe(35 * 1024 * 1024)
    })
  )
)
