/** Delivery goes on after the listening connection or Postgres itself was lost. */
import { expect, it } from "@effect/vitest"
import { Effect, References } from "effect"
import { SqlClient } from "effect/sql"
import type * as Events from "#core/events/Events.ts"
import * as PostgresKeeper from "#core/postgres/PostgresKeeper.ts"
import { inFrame, until } from "#support/Frame.ts"
import { temporaryDirectory } from "#support/Postgres.ts"
import { consume, emit, numbers } from "./EventReaders.ts"

it.live("delivery goes on after the listening connection is cut", () =>
  inFrame(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const seen: Array<Events.Event> = []
      yield* consume(seen)
      yield* emit(1)
      yield* until(
        "the first",
        Effect.sync(() => seen.length === 1)
      )
      // The first event can be found before the listener is connected.
      yield* until(
        "the listener to be cut",
        Effect.map(
          sql`select pg_terminate_backend(pid) from pg_stat_activity
            where application_name = 'frame listener' and datname = current_database()`,
          ({ length }) => length === 1
        )
      )
      // Written while no listener is connected: the listener finds it in the table after it reconnects.
      yield* emit(2)
      yield* until(
        "the second",
        Effect.sync(() => seen.length === 2),
        15
      )
      yield* emit(3)
      // Less than the 30 s after which a reader looks again by itself.
      yield* until(
        "the third, by its wake-up",
        Effect.sync(() => seen.length === 3),
        15
      )
      expect(numbers(seen)).toEqual([1, 2, 3])
    })
  )
)

it.live(
  "delivery goes on after Postgres was killed, each event once",
  () =>
    Effect.gen(function* () {
      const keeper = yield* PostgresKeeper.make({ dataDir: yield* temporaryDirectory(), fsync: true })
      yield* Effect.forkScoped(keeper.keep)
      yield* inFrame(
        Effect.gen(function* () {
          const seen: Array<Events.Event> = []
          yield* consume(seen)
          yield* Effect.forEach([1, 2], emit)
          yield* until(
            "the first two",
            Effect.sync(() => seen.length === 2)
          )
          const { pid } = yield* keeper.current
          process.kill(pid, "SIGKILL")
          // Writes fail while the server is down, and a failed write leaves no event.
          yield* until("the third is written", Effect.isSuccess(emit(3)), 15)
          yield* until(
            "the third",
            Effect.sync(() => seen.length === 3),
            15
          )
          expect(numbers(seen)).toEqual([1, 2, 3])
        }),
        { target: keeper.target }
      )
    }).pipe(Effect.provideService(References.MinimumLogLevel, "Fatal")),
  120_000
)
