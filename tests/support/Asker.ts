/** A daemon for tests that asks other daemons as a real one does (core/requests). */
import { Effect, type Exit, Layer } from "effect"
import type { SqlClient } from "effect/sql"
import type { Secrets } from "#core/config/Secrets.ts"
import * as Daemon from "#core/daemon/Daemon.ts"
import * as Feature from "#core/daemon/Feature.ts"
import type { Wake } from "#core/events/Wake.ts"
import type { RequestType } from "#core/requests/RequestContract.ts"
import { ask } from "#core/requests/Requests.ts"

type Context = SqlClient.SqlClient | Wake | Secrets

/** Add `daemon` to a suite; `ask` works while the suite runs. */
export const asker = () => {
  let run: (<A, E>(effect: Effect.Effect<A, E, Context>) => Promise<Exit.Exit<A, E>>) | undefined
  const daemon = Daemon.make({
    name: "asker",
    title: "Asker",
    port: 0,
    features: [
      Feature.make({
        layer: Layer.effectDiscard(
          Effect.gen(function* () {
            const context = yield* Effect.context<Context>()
            run = (effect) => Effect.runPromiseExitWith(context)(effect)
          })
        )
      })
    ]
  })
  return {
    daemon,
    /** Asks, and fails as the real call does. */
    ask: <Ask, AskEncoded, Reply, ReplyEncoded>(
      request: RequestType<Ask, AskEncoded, Reply, ReplyEncoded>,
      data: Ask
    ) => Effect.flatten(Effect.promise(() => run!(ask(request, data))))
  }
}
