import { assert, describe, it } from "@effect/vitest"
import { Deferred, Duration, Effect, Fiber, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { define, RequestRefused } from "#core/requests/RequestContract.ts"
import { AnswerWithin, ask } from "#core/requests/Requests.ts"
import * as Responder from "#core/requests/Responder.ts"
import { inFrame, run } from "#support/Frame.ts"

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
})
