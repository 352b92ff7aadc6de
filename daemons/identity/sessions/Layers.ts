/** Layers of the session services. Features that provide the same constant share one instance per daemon. */
import { Effect, Layer } from "effect"
import { settings } from "#core/config/Environment.ts"
import { signingKeys } from "../signing-keys/Exports.ts"
import { checkedWithin } from "#core/limits/SignInAttempts.ts"
import * as AccessRefusals from "./AccessRefusals.ts"
import * as PublicBase from "./PublicBase.ts"
import * as Sessions from "./Sessions.ts"
import { sessionSettings } from "./Settings.ts"
import * as SignOutByCookie from "./SignOutByCookie.ts"
import * as CredentialAttempts from "./throttle/CredentialAttempts.ts"
import * as Throttle from "./throttle/Throttle.ts"

const config = settings(sessionSettings)

export const accessRefusals = AccessRefusals.layer

export const publicBase = PublicBase.layer

export const throttle = Layer.unwrap(
  Effect.map(config, ({ throttleMax, throttleWindow }) => {
    const checked = checkedWithin(throttleMax)
    return Throttle.layer({ window: throttleWindow, perAccount: checked, perAddress: checked })
  })
)

export const credentialAttempts = CredentialAttempts.layer.pipe(Layer.provide([throttle, accessRefusals]))

export const sessions = Layer.unwrap(
  Effect.map(config, ({ accessTtl, sessionTtl }) => Sessions.layer({ access: accessTtl, session: sessionTtl }))
).pipe(Layer.provide([signingKeys, accessRefusals]))

export const signOutByCookie = SignOutByCookie.layer.pipe(Layer.provide([publicBase, sessions]))
