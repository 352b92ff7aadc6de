import { Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as Feature from "#core/daemon/Feature.ts"
import { bcrypt } from "../accounts/Exports.ts"
import { Edge } from "../edge/Edge.ts"
import * as EdgeProjection from "../edge/EdgeProjection.ts"
import { edgeSettings } from "../edge/EdgeSettings.ts"
import * as Refusals from "../edge/Refusals.ts"
import { Imported } from "../imports/Exports.ts"
import { SignInApi } from "./Api.ts"
import { signIn as handlers } from "./Handlers.ts"
import { Registration, registrationSettings } from "./Registration.ts"

/** Pages for signing in, registering and signing out. */
export const signIn = Feature.make({
  settings: { ...edgeSettings, ...registrationSettings },
  api: SignInApi,
  layer: HttpApiBuilder.layer(SignInApi).pipe(
    Layer.provide(handlers),
    Layer.provide(Registration.layer),
    Layer.provide([bcrypt, Edge.layer, EdgeProjection.layer, Imported.layer, Refusals.layer])
  )
})
