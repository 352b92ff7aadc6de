/** A request whose client leaves: its work ends, so that nobody waits for a slow mail server, bank or database. */
import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Layer, Schema } from "effect"
import { HttpApiBuilder, HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import * as Daemon from "#core/daemon/Daemon.ts"
import * as Feature from "#core/daemon/Feature.ts"
import * as Api from "#core/http/Api.ts"
import * as Handlers from "#core/http/Handlers.ts"
import { startSuite } from "#support/TestSuite.ts"

const path = "/api/v1/slow/answer"

const api = Api.make("slow").add(
  HttpApiGroup.make("slow").add(HttpApiEndpoint.get("answer", path, { success: Schema.String }))
)

it.live.each([
  ["alone", false],
  ["behind the gateway", true]
] as const)("ends its work, %s", ([, gateway]) =>
  Effect.gen(function* () {
    const begun = yield* Deferred.make<void>()
    const ended = yield* Deferred.make<void>()
    const slow = Handlers.group(api, "slow", (handlers) =>
      handlers.handle("answer", () =>
        Deferred.succeed(begun, undefined).pipe(
          Effect.andThen(Effect.never),
          Effect.onInterrupt(() => Deferred.succeed(ended, undefined))
        )
      )
    )
    const daemon = Daemon.make({
      name: "slow",
      title: "Slow",
      port: 8198,
      features: [Feature.make({ api, layer: HttpApiBuilder.layer(api).pipe(Layer.provide(slow)) })]
    })
    const suite = yield* startSuite({ daemons: [daemon], gateway })
    const client = new AbortController()
    const answer = fetch(suite.base() + path, { signal: client.signal }).catch((error: Error) => error.name)
    yield* Deferred.await(begun)
    assert.isFalse(yield* Deferred.isDone(ended))
    client.abort()
    yield* Deferred.await(ended)
    assert.strictEqual(yield* Effect.promise(() => answer), "AbortError")
  }).pipe(Effect.scoped)
)
