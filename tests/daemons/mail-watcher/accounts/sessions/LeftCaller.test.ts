/** Work whose caller leaves, because the client closed its connection. */
import { expect, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { account, server, sessions } from "./ScriptedServer.ts"

/** A server that answers NOOP late or never, and the number of sign-ins that it has seen. Unit: milliseconds. */
const slow = Effect.fnUntraced(function* (answerAfter?: number) {
  const asked = yield* Deferred.make<void>()
  let signIns = 0
  const place = yield* server((socket, tag, command) => {
    if (command === "AUTHENTICATE" || command === "LOGIN") signIns += 1
    if (command !== "NOOP") return false
    Deferred.doneUnsafe(asked, Effect.void)
    if (answerAfter !== undefined) setTimeout(() => socket.write(`${tag} OK done\r\n`), answerAfter)
    return true
  })
  return { asked: Deferred.await(asked), place, signIns: () => signIns }
})

it.live(
  "a read ends soon after its caller, and the next one gets a new session",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { asked, place, signIns } = yield* slow()
        const { use } = yield* sessions(place, { leftTime: 20 })
        const reader = yield* Effect.forkChild(use(account, (client) => client.noop(), { repeat: true }))
        yield* asked
        const next = yield* Effect.forkChild(use(account, (client) => client.list(), { repeat: true }))
        yield* Fiber.interrupt(reader)
        expect(yield* Fiber.join(next)).toEqual([])
        expect(signIns()).toBe(2)
      })
    ),
  120_000
)

it.live(
  "a change runs to its end",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { asked, place, signIns } = yield* slow(200)
        const { use } = yield* sessions(place, { leftTime: 20 })
        let ended: unknown
        const writer = yield* Effect.forkChild(
          use(account, (client) =>
            client.noop().then(
              () => (ended = "done"),
              (error: unknown) => (ended = error)
            )
          )
        )
        yield* asked
        yield* Fiber.interrupt(writer)
        // The interruption waits for the work, which takes longer than a read may.
        expect(ended).toBe("done")
        expect(signIns()).toBe(1)
      })
    ),
  120_000
)
