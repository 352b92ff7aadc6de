/** The shared session is used at once when it is idle. */
import { assert, it } from "@effect/vitest"
import { Duration, Effect } from "effect"
import type { ImapFlow } from "imapflow"
import type { TLSSocket } from "node:tls"
import { account, server, sessions } from "./ScriptedServer.ts"

it.live(
  "useNow uses an idle session and keeps it open",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        let signedIn = 0
        const open = new Set<TLSSocket>()
        const place = yield* server((socket, _tag, command) => {
          open.add(socket)
          if (command === "LOGIN") signedIn++
          return false
        })
        const { use, useNow } = yield* sessions(place, { idle: Duration.seconds(5) })
        const noop = async (client: ImapFlow) => (await client.noop(), "done")
        assert.isUndefined(useNow(account, noop))
        yield* use(account, noop)
        const working = useNow(account, noop)
        assert.isDefined(working)
        assert.isUndefined(useNow(account, noop), "somebody is at it")
        assert.strictEqual(yield* Effect.promise(() => working!), "done")
        assert.isUndefined(useNow({ ...account, state: "suspended" } as never, noop))
        assert.isUndefined(useNow({ ...account, imap_host: "elsewhere.test" } as never, noop))
        // In total longer than the idle timeout.
        for (let time = 0; time < 6; time++) {
          yield* Effect.sleep("1 second")
          assert.strictEqual(yield* Effect.promise(() => useNow(account, noop)!), "done")
        }
        // A failure leaves the session usable for the next caller.
        const failed = yield* Effect.promise(() =>
          useNow(account, () => Promise.reject(new Error("not today")))!.then(
            () => "",
            (error: Error) => error.message
          )
        )
        assert.strictEqual(failed, "not today")
        const waiting = use(account, noop)
        assert.strictEqual(yield* waiting, "done")
        assert.strictEqual(signedIn, 1)
        for (const socket of open) socket.destroy()
        while (useNow(account, noop)?.catch(() => "") !== undefined) yield* Effect.sleep("10 millis")
        assert.strictEqual(yield* use(account, noop), "done")
        assert.strictEqual(signedIn, 2)
      })
    ),
  120_000
)
