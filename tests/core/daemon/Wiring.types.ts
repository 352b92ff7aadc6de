/**
 * Type tests of the wiring. Each line below `@ts-expect-error` must not compile; otherwise `npm run check` fails. The
 * lines without that mark show the same wiring complete. Nothing here runs.
 */
import { Context, Effect, Layer, Schema } from "effect"
import { HttpApiBuilder, HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import * as Feature from "#core/daemon/Feature.ts"
import { Health } from "#core/daemon/Health.ts"
import * as Api from "#core/http/Api.ts"
import * as Handlers from "#core/http/Handlers.ts"
import { define, Jobs } from "#core/jobs/Jobs.ts"
import { Database } from "#core/sql/Database.ts"
import { Actor, Supervisor } from "#core/supervision/Supervisor.ts"

class Missing extends Context.Service<Missing, { readonly value: number }>()("test/Missing") {}
const missing = Layer.succeed(Missing, { value: 1 })

/** Declares a feature that contains only this registration. */
const register = <R>(registration: Effect.Effect<void, never, R>) => Layer.effectDiscard(registration)

// A service of the feature's own layer.
const service = register(Effect.asVoid(Effect.service(Missing)))
Feature.make({ layer: Layer.provide(service, missing) })
// @ts-expect-error nobody provides Missing
Feature.make({ layer: service })

// A requirement of an actor. The supervisor provides Actor and Scope.
const run = Effect.gen(function* () {
  const actor = yield* Actor
  yield* Effect.addFinalizer(() => Effect.void)
  yield* Database
  return actor.name
})
Feature.make({ layer: register(Supervisor.actor({ name: "all present", run })) })
const lacking = register(Supervisor.actor({ name: "lacking", run: Effect.andThen(run, Effect.service(Missing)) }))
Feature.make({ layer: Layer.provide(lacking, missing) })
// @ts-expect-error nobody provides Missing, which the actor needs
Feature.make({ layer: lacking })

// The queue of a worker, and the requirement of its handler.
const Work = define("test.work", Schema.Struct({ n: Schema.Int }))
const Other = define("test.other", Schema.Struct({ n: Schema.Int }))
const worker = register(Jobs.worker({ type: Work, handle: () => Effect.void }))
Feature.make({ queues: [Work], layer: worker })
Feature.make({ queues: [Other, Work], layer: worker })
// @ts-expect-error the feature declares no queue
Feature.make({ layer: worker })
// @ts-expect-error the feature declares another queue
Feature.make({ queues: [Other], layer: worker })
// @ts-expect-error nobody provides Missing, which the handler needs
Feature.make({ queues: [Work], layer: register(Jobs.worker({ type: Work, handle: () => Effect.service(Missing) })) })

// The requirement of a health component.
const component = register(Health.component("part", Effect.as(Missing, { status: "ok" as const })))
Feature.make({ layer: Layer.provide(component, missing) })
// @ts-expect-error nobody provides Missing, which the component needs
Feature.make({ layer: component })

// A service that only an endpoint needs.
const api = Api.make("test").add(
  HttpApiGroup.make("things").add(HttpApiEndpoint.get("all", "/things", { success: Schema.Number }))
)
const served = (value: Effect.Effect<number, never, Missing | Database>) =>
  HttpApiBuilder.layer(api).pipe(
    Layer.provide(Handlers.group(api, "things", (handlers) => handlers.handle("all", () => value)))
  )
const value = Effect.andThen(
  Database,
  Effect.map(Missing, (found) => found.value)
)
Feature.make({ api, layer: Layer.provide(served(value), missing) })
// @ts-expect-error nobody provides Missing, which the endpoint needs
Feature.make({ api, layer: served(value) })
// @ts-expect-error the group has no handlers
Feature.make({ api, layer: HttpApiBuilder.layer(api) })
