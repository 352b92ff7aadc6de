/** Layers of the account services. Features that provide the same constant share one instance per daemon. */
import { Effect, Layer } from "effect"
import { settings } from "#core/config/Environment.ts"
import { StoredSettings } from "#core/settings/StoredSettings.ts"
import * as AccountsProjection from "./AccountsProjection.ts"
import * as GuardedHost from "./GuardedHost.ts"
import * as MailLogins from "./MailLogins.ts"
import * as MailSessions from "./sessions/MailSessions.ts"
import { accountSettings } from "./Settings.ts"
import * as SignInCheck from "./SignInCheck.ts"

const config = settings(accountSettings)

export const accountsProjection = AccountsProjection.layer

export const guardedHost = Layer.unwrap(Effect.map(config, (values) => GuardedHost.layer(values)))

export const mailLogins = Layer.unwrap(
  Effect.gen(function* () {
    const { live } = yield* StoredSettings
    return MailLogins.layer(live(yield* config, { mailHost: accountSettings.mailHost }))
  })
)

export const mailSessions = Layer.unwrap(Effect.map(config, (values) => MailSessions.layer(values))).pipe(
  Layer.provide([guardedHost, mailLogins])
)

export const signInCheck = Layer.unwrap(Effect.map(config, (values) => SignInCheck.layer(values))).pipe(
  Layer.provide(guardedHost)
)
