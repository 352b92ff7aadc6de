import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { settings } from "#core/config/Environment.ts"
import { platformSettings } from "#core/config/PlatformSettings.ts"
import * as Feature from "#core/daemon/Feature.ts"
import { Greeting } from "#core/daemon/Greeting.ts"
import { StoredSettings } from "#core/settings/StoredSettings.ts"
import * as Passwords from "#core/password/Passwords.ts"
import { secondFactors } from "../factors/Exports.ts"
import {
  accessRefusals,
  credentialAttempts,
  publicBase,
  publicUrl,
  sessions,
  signOutByCookie
} from "../sessions/Exports.ts"
import { SignInApi } from "./Api.ts"
import * as FirstAdmin from "./FirstAdmin.ts"
import { signIn as signInHandlers } from "./Handlers.ts"
import { auth } from "./own-account/Handlers.ts"
import * as PasswordChange from "./PasswordChange.ts"
import * as SignIn from "./SignIn.ts"

/** The first administrator has the first address of `adminEmail`, else admin@localhost. */
const signInSettings = { adminEmail: platformSettings.adminEmail, publicUrl }

const greeting = Effect.gen(function* () {
  const { adminEmail } = yield* settings(signInSettings)
  const { get } = yield* StoredSettings
  yield* Greeting.add(({ base, gateway }) =>
    Effect.flatMap(get(publicUrl), (address) =>
      FirstAdmin.greeting({ emails: adminEmail, base: address ?? base, console: gateway || address !== undefined })
    )
  )
})

/** Sign-in by password or link, the caller's own account and sessions, and the first administrator's link. */
export const signIn = Feature.make({
  settings: signInSettings,
  api: SignInApi,
  layer: Layer.merge(
    HttpApiBuilder.layer(SignInApi).pipe(
      Layer.provide([signInHandlers, auth]),
      Layer.provide([SignIn.layer, PasswordChange.layer]),
      Layer.provide([
        accessRefusals,
        credentialAttempts,
        Passwords.layer,
        publicBase,
        secondFactors,
        sessions,
        signOutByCookie
      ])
    ),
    Layer.effectDiscard(greeting)
  )
})
