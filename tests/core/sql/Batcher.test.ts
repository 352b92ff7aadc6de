import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Scheduler, Scope } from "effect"
import * as Batcher from "#core/sql/Batcher.ts"

/** A batcher of numbers. Each batch waits until the test releases it. */
const held = (most: number, end: (n: number) => Exit.Exit<number, string> = Exit.succeed) =>
  Effect.gen(function* () {
    const batches: Array<ReadonlyArray<number>> = []
    const gates: Array<Deferred.Deferred<void>> = []
    const call = yield* Batcher.make(
      (calls: ReadonlyArray<number>) =>
        Effect.gen(function* () {
          batches.push(calls)
          const gate = yield* Deferred.make<void>()
          gates.push(gate)
          yield* Deferred.await(gate)
          return calls.map(end)
        }),
      { most }
    )
    const settle = Effect.repeat(Effect.yieldNow, { times: 20 })
    const letGo = Effect.suspend(() => Effect.andThen(Deferred.succeed(gates.at(-1)!, undefined), settle))
    return { batches, call, letGo, settle }
  })

describe("Batcher", () => {
  it.effect("runs one call at once, and later calls as ordered batches within the limit", () =>
    Effect.gen(function* () {
      const { batches, call, letGo, settle } = yield* held(3)
      const fibers = []
      for (let n = 0; n < 6; n++) {
        fibers.push(yield* Effect.forkChild(call(n)))
        yield* settle
      }
      assert.deepStrictEqual(batches, [[0]])
      yield* letGo
      assert.deepStrictEqual(batches, [[0], [1, 2, 3]])
      yield* letGo
      yield* letGo
      assert.deepStrictEqual(batches, [[0], [1, 2, 3], [4, 5]])
      assert.deepStrictEqual(yield* Effect.forEach(fibers, (fiber) => Fiber.join(fiber)), [0, 1, 2, 3, 4, 5])
      const later = yield* Effect.forkChild(call(9))
      yield* settle
      yield* letGo
      assert.strictEqual(yield* Fiber.join(later), 9, "and is ready for the next")
    }).pipe(Effect.scoped)
  )

  it.effect("returns each call's own result; a defect fails the batch, but not the next one", () =>
    Effect.gen(function* () {
      const { call, letGo, settle } = yield* held(10, (n) => {
        if (n === 13) throw new Error("broken")
        return n % 2 === 0 ? Exit.succeed(n) : Exit.fail(`odd ${n}`)
      })
      const run = Effect.fnUntraced(function* (numbers: ReadonlyArray<number>) {
        const first = yield* Effect.forkChild(call(0))
        yield* settle
        const fibers = yield* Effect.forEach(numbers, (n) => Effect.forkChild(Effect.exit(call(n))))
        yield* settle
        yield* letGo
        yield* letGo
        yield* Fiber.join(first)
        return yield* Effect.forEach(fibers, (fiber) => Fiber.join(fiber))
      })
      assert.deepStrictEqual(yield* run([1, 2]), [Exit.fail("odd 1"), Exit.succeed(2)])
      assert.isTrue((yield* run([13, 2])).every((exit) => Exit.isFailure(exit)))
      assert.deepStrictEqual(yield* run([4]), [Exit.succeed(4)])
    }).pipe(Effect.scoped)
  )

  it.effect("executes calls of interrupted callers, and ends waiting callers with its scope", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const { batches, call, letGo, settle } = yield* Scope.provide(held(10), scope)
      yield* Effect.forkChild(call(1))
      yield* settle
      const left = yield* Effect.forkChild(call(2))
      yield* settle
      yield* Fiber.interrupt(left)
      yield* letGo
      assert.deepStrictEqual(batches, [[1], [2]])
      const waiting = yield* Effect.forkChild(call(3))
      yield* settle
      yield* Scope.close(scope, Exit.void)
      assert.isTrue(Exit.isFailure(yield* Fiber.await(waiting)))
    }).pipe(Effect.scoped)
  )

  it.effect("runs later calls after a caller was interrupted at any moment", () =>
    Effect.gen(function* () {
      // A fiber gives way after a few operations, so the caller can be interrupted between any two.
      for (const [operations, moments] of [2, 3, 4, 5].flatMap((most) =>
        Array.from({ length: 20 }, (_, n) => [most, n] as const)
      )) {
        const call = yield* Batcher.make((calls: ReadonlyArray<number>) => Effect.succeed(calls.map(Exit.succeed)), {
          most: 10
        })
        const caller = yield* Effect.forkChild(Effect.provideService(call(1), Scheduler.MaxOpsBeforeYield, operations))
        yield* Effect.repeat(Effect.yieldNow, { times: moments })
        yield* Effect.forkChild(Fiber.interrupt(caller), { startImmediately: true })
        const later = yield* Effect.forkChild(call(2))
        yield* Effect.repeat(Effect.yieldNow, { times: 200 })
        assert.deepStrictEqual(later.pollUnsafe(), Exit.succeed(2), `${moments} pauses after ${operations} operations`)
      }
    }).pipe(Effect.scoped)
  )
})
