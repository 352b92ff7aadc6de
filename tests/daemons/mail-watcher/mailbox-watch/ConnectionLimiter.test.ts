import { ConnectionLimiter, maxVisits } from "#daemons/mail-watcher/mailbox-watch/ConnectionLimiter.ts"
import { expect, it } from "@effect/vitest"
import { type Duration, Effect, Exit, Fiber, Scope } from "effect"
import { TestClock } from "effect/testing"

const gates = () =>
  new ConnectionLimiter((foreign) => ({
    connections: foreign ? 2 : 5,
    signIns: 2,
    signInRate: { burst: 1, perSecond: 1 }
  }))

it.effect("limits permanent connections and lets others visit", () =>
  Effect.gen(function* () {
    const host = gates()
    const scopes = yield* Effect.forEach(Array.from({ length: 2 + maxVisits }), () => Scope.make())
    const places = yield* Effect.forEach(scopes, (scope) => Scope.provide(host.acquire("a", true), scope))
    expect(places).toEqual(["stay", "stay", ...Array.from({ length: maxVisits }, () => "visit")])
    const next = yield* Effect.forkChild(Effect.scoped(host.acquire("a", true)))
    yield* TestClock.adjust("1 minute")
    expect(next.pollUnsafe()).toBeUndefined()
    // A different server, and our own server with the same name, have separate limits.
    expect(yield* Effect.scoped(Effect.all([host.acquire("b", true), host.acquire("a", false)]))).toEqual([
      "stay",
      "stay"
    ])
    yield* Scope.close(scopes.at(-1)!, Exit.void)
    expect(yield* Fiber.join(next)).toBe("visit")
    yield* Scope.close(scopes[0]!, Exit.void)
    expect(yield* Effect.scoped(host.acquire("a", true))).toBe("stay")
  })
)

it.effect("limits the rate and the number of concurrent sign-ins", () =>
  Effect.gen(function* () {
    const host = gates()
    let begun = 0
    for (let index = 0; index < 5; index++)
      yield* Effect.forkChild(
        host.signIn(
          "a",
          true,
          Effect.andThen(
            Effect.sync(() => begun++),
            Effect.sleep("10 seconds")
          )
        )
      )
    const after = (duration: Duration.Input) => Effect.map(TestClock.adjust(duration), () => begun)
    expect(yield* after(0)).toBe(1)
    expect(yield* after("1 second")).toBe(2)
    expect(yield* after("5 seconds")).toBe(2)
    expect(yield* after("5 seconds")).toBe(4)
  })
)
