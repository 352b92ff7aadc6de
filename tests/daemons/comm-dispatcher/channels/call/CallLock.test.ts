/** The call lock over a real Postgres: turns, waits and places. */
import { expect, it } from "@effect/vitest"
import { Deferred, Duration, Effect, Fiber } from "effect"
import type * as CallLock from "#daemons/comm-dispatcher/channels/call/CallLock.ts"
import { until } from "#support/Frame.ts"
import { freshDatabase } from "#support/Postgres.ts"
import { holding, owner, quiet, sessions, turn } from "./CallOwners.ts"

it.live(
  "two processes never call at once, and each gets its turn",
  () =>
    quiet(
      Effect.gen(function* () {
        const { target } = yield* freshDatabase
        const [one, two] = [yield* owner(target), yield* owner(target)]
        let active = 0
        let most = 0
        const kinds: Array<string> = []
        const call = (lock: CallLock.CallLock["Service"]) =>
          Effect.scoped(
            Effect.gen(function* () {
              const lease = yield* lock.take(turn())
              kinds.push(lease.kind)
              most = Math.max(most, ++active)
              yield* Effect.sleep(20)
              active--
              expect(yield* lease.note).toBeUndefined()
            })
          )
        yield* Effect.all(
          Array.from({ length: 12 }, (_, index) => call(index % 2 === 0 ? one : two)),
          { concurrency: "unbounded" }
        )
        expect(kinds).toEqual(Array(12).fill("locked"))
        expect(most).toBe(1)
      })
    ),
  120_000
)

it.live(
  "who waits in one process goes by severity, then by when it was due; over one session",
  () =>
    quiet(
      Effect.gen(function* () {
        const { target } = yield* freshDatabase
        const lock = yield* owner(target)
        const first = yield* holding(lock)
        const now = Date.now()
        const order: Array<string> = []
        const waiting = [
          ["INFO", 0],
          ["WARNING", 2],
          ["ALERT", 9],
          ["WARNING", 1],
          ["CRITICAL", 5]
        ] as const
        const calls = yield* Effect.forEach(waiting, ([severity, late]) =>
          Effect.forkChild(
            Effect.scoped(
              Effect.andThen(
                lock.take(turn(severity, now + late)),
                Effect.sync(() => order.push(`${severity} ${late}`))
              )
            )
          )
        )
        yield* Effect.sleep(50)
        expect(yield* sessions(target)).toBe(1)
        yield* first.done
        yield* Effect.forEach(calls, Fiber.join)
        expect(order).toEqual(["ALERT 9", "CRITICAL 5", "WARNING 1", "WARNING 2", "INFO 0"])
      })
    ),
  120_000
)

it.live(
  "at the end of its wait, counted from when it was due, a call goes anyway and says so",
  () =>
    quiet(
      Effect.gen(function* () {
        const { target } = yield* freshDatabase
        // The old call must have gone before the fresh one does, also on a busy machine.
        const wait = Duration.millis(5_000)
        const [one, two] = [yield* owner(target, { wait }), yield* owner(target, { wait })]
        yield* holding(one)
        const begun = Date.now()
        const fresh = yield* Effect.forkChild(holding(two))
        const old = yield* holding(two, turn("INFO", begun - 60_000))
        expect(old.lease.kind).toBe("anyway")
        expect(fresh.pollUnsafe()).toBeUndefined()
        const late = yield* Fiber.join(fresh)
        expect(Date.now() - begun).toBeGreaterThanOrEqual(4_950)
        expect(late.lease.kind).toBe("anyway")
        expect(yield* late.lease.note).toBe("without the call lock, after a wait of 5 s")
      })
    ),
  120_000
)

it.live(
  "a call whose wait is over still takes the lock when it is free",
  () =>
    quiet(
      Effect.gen(function* () {
        const { target } = yield* freshDatabase
        const { lease } = yield* holding(yield* owner(target), turn("INFO", Date.now() - 3_600_000))
        expect(lease.kind).toBe("locked")
      })
    ),
  120_000
)

it.live(
  "calls that go anyway are bounded for each gateway, in all processes together",
  () =>
    quiet(
      Effect.gen(function* () {
        const { target } = yield* freshDatabase
        const options = { wait: Duration.millis(100), perGateway: 2 }
        const [one, two, three] = [
          yield* owner(target, options),
          yield* owner(target, options),
          yield* owner(target, options)
        ]
        yield* holding(one)
        const second = yield* holding(two)
        expect((yield* holding(two)).lease.kind).toBe("anyway")
        const over = [yield* Effect.forkChild(holding(three)), yield* Effect.forkChild(holding(two))]
        const elsewhere = yield* holding(three, turn("INFO", Date.now(), "other"))
        expect(elsewhere.lease.kind).toBe("anyway")
        yield* Effect.sleep(1_200)
        expect(over.map((fiber) => fiber.pollUnsafe())).toEqual([undefined, undefined])
        yield* second.done
        yield* until(
          "one of them goes",
          Effect.sync(() => over.some((fiber) => fiber.pollUnsafe() !== undefined))
        )
        yield* Effect.sleep(700)
        expect(over.filter((fiber) => fiber.pollUnsafe() !== undefined).length).toBe(1)
        yield* Effect.forEach(over, Fiber.interrupt)
      })
    ),
  120_000
)

it.live(
  "who gives up waiting, or is interrupted, holds nobody up",
  () =>
    quiet(
      Effect.gen(function* () {
        const { target } = yield* freshDatabase
        const lock = yield* owner(target)
        const first = yield* holding(lock)
        const asked = yield* Deferred.make<void>()
        const waiting = yield* Effect.forkChild(
          Effect.scoped(Effect.andThen(Deferred.succeed(asked, undefined), lock.take(turn("ALERT"))))
        )
        yield* Deferred.await(asked)
        yield* Effect.sleep(50)
        yield* Fiber.interrupt(waiting)
        yield* first.done
        expect((yield* holding(lock)).lease.kind).toBe("locked")
      })
    ),
  120_000
)
