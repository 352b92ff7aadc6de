import { assert, describe, it } from "@effect/vitest"
import { Deferred, Duration, Effect, Fiber, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { define, RequestRefused } from "#core/requests/RequestContract.ts"
import { AnswerWithin, ask } from "#core/requests/Requests.ts"
import * as Responder from "#core/requests/Responder.ts"
import { inFrame, run, until } from "#support/Frame.ts"

const Square = define("test.square", Schema.Struct({ n: Schema.Int }), Schema.Struct({ square: Schema.Int }))

/** The actor of a daemon that answers. */
const answering = <E, R>(answer: (n: number) => Effect.Effect<number, E | RequestRefused, R>) =>
  Responder.actorOf({ request: Square, answer: ({ n }) => Effect.map(answer(n), (square) => ({ square })) })

/** Runs a request with this timeout. Unit: milliseconds. */
const within = <A, E, R>(millis: number, asked: Effect.Effect<A, E, R>) =>
  Effect.provideService(asked, AnswerWithin, Duration.millis(millis))

const rows = Effect.flatMap(SqlClient.SqlClient, (sql) => sql<{ body: string }>`select body from core.request`)

describe("a request", () => {
  it.live("is answered by whichever process runs the daemon, many at the same time, and leaves no row", () =>
    inFrame(
      Effect.gen(function* () {
        let asked = 0
        const actor = answering((n) => Effect.sync(() => (asked++, n * n)))
        yield* run(actor)
        yield* run({ ...actor, name: "the other process" })
        const found = yield* Effect.forEach(
          Array.from({ length: 40 }, (_, n) => n),
          (n) => within(15_000, ask(Square, { n })),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(
          found.map(({ square }) => square),
          Array.from({ length: 40 }, (_, n) => n * n)
        )
        assert.strictEqual(asked, 40)
        assert.deepStrictEqual(yield* rows, [])
      })
    )
  )

  it.live("fails with the refusal, and with no answer when the other side fails", () =>
    inFrame(
      Effect.gen(function* () {
        yield* run(
          answering((n) =>
            n === 1
              ? Effect.fail(new RequestRefused({ type: Square.type, reason: "unknown" }))
              : n === 2
                ? Effect.fail("a failure")
                : Effect.die(new Error("a defect"))
          )
        )
        const refused = yield* Effect.flip(ask(Square, { n: 1 }))
        assert.deepInclude(refused, { _tag: "RequestRefused", reason: "unknown" })
        for (const n of [2, 3]) {
          const failed = yield* Effect.flip(ask(Square, { n }))
          assert.strictEqual(failed._tag, "NoAnswer")
        }
        assert.deepStrictEqual(yield* rows, [])
      })
    )
  )

  it.live("is sealed while it waits, and nobody begins it after the asker has given up", () =>
    inFrame(
      Effect.gen(function* () {
        const waiting = yield* Effect.forkScoped(Effect.flip(within(5_000, ask(Square, { n: 4711 }))))
        let seen: ReadonlyArray<{ readonly body: string }> = []
        while (seen.length === 0) seen = yield* rows
        assert.match(seen[0]!.body, /^sbx1\./)
        assert.notInclude(seen[0]!.body, "4711")
        const failed = yield* Fiber.join(waiting)
        assert.strictEqual(failed._tag, "NoAnswer")
        let begun = false
        yield* run(answering((n) => Effect.sync(() => ((begun = true), n))))
        assert.deepInclude(yield* ask(Square, { n: 3 }), { square: 3 })
        assert.isTrue(begun)
        assert.deepStrictEqual(yield* rows, [])
      })
    )
  )

  it.live("interrupts the other side when the asker gives up", () =>
    inFrame(
      Effect.gen(function* () {
        const interrupted = yield* Deferred.make<void>()
        yield* run(
          answering(() =>
            Effect.onInterrupt(Effect.never, () => Effect.asVoid(Deferred.succeed(interrupted, undefined)))
          )
        )
        // Long enough for the other side to begin on a busy machine.
        const failed = yield* Effect.flip(within(5_000, ask(Square, { n: 1 })))
        assert.strictEqual(failed._tag, "NoAnswer")
        yield* Deferred.await(interrupted)
      })
    )
  )

  it.live("is answered by another process when the first one stops between the claim and the answer", () =>
    inFrame(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql.unsafe(`create function public.slow_claim() returns trigger language plpgsql as
          $$ begin perform pg_sleep(2); return new; end $$`)
        yield* sql.unsafe(`create trigger slow_claim before update on core.request for each row
          when (new.claimed_at is not null and new.answer is null) execute function public.slow_claim()`)
        const begun: Array<string> = []
        const actor = (name: string) => ({ ...answering((n) => Effect.sync(() => (begun.push(name), n * n))), name })
        const waiting = yield* Effect.scoped(
          Effect.gen(function* () {
            yield* run(actor("first"))
            const waiting = yield* Effect.forkDetach(within(20_000, ask(Square, { n: 3 })))
            yield* until(
              "the first process claims the request",
              Effect.map(
                sql`select 1 from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`,
                ({ length }) => length === 1
              )
            )
            return waiting
          })
        )
        yield* sql.unsafe("drop trigger slow_claim on core.request")
        yield* run(actor("second"))
        assert.deepStrictEqual(yield* Fiber.join(waiting), { square: 9 })
        assert.deepStrictEqual(begun, ["second"])
      })
    )
  )
})
