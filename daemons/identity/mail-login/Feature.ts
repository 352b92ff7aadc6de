import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { settings } from "#core/config/Environment.ts"
import * as Feature from "#core/daemon/Feature.ts"
import { type Component, Health } from "#core/daemon/Health.ts"
import { Lane } from "#core/lane/Lane.ts"
import { accessRefusals } from "../sessions/Exports.ts"
import { signingKeys } from "../signing-keys/Exports.ts"
import { MailLoginApi } from "./Api.ts"
import { introspection as introspectionHandler, mailTokens } from "./Handlers.ts"
import * as Introspection from "./Introspection.ts"
import * as MailAccountsProjection from "./MailAccountsProjection.ts"
import * as MailTokens from "./MailTokens.ts"
import { mailAccounts } from "./migrations/0005_mail_accounts.ts"
import { mailLoginSettings } from "./Settings.ts"

const projection = MailAccountsProjection.layer

const introspection = Layer.unwrap(
  Effect.map(settings(mailLoginSettings), ({ introspectionRanges }) => Introspection.layer(introspectionRanges))
).pipe(Layer.provide([projection, accessRefusals]))

const health = Effect.map(MailAccountsProjection.MailAccountsProjection, (accounts): Component => {
  const age = accounts.age()
  return { status: "ok", accounts: accounts.size(), compared_ms_ago: Number.isFinite(age) ? Math.round(age) : null }
})

const introspectionPath = "/api/v1/auth/token/introspect"

/** Tokens with which users sign in to the mail server, and the introspection by which the mail server checks them. */
export const mailLogin = Feature.make({
  settings: mailLoginSettings,
  migrations: [mailAccounts],
  routes: [{ prefix: introspectionPath, rateLimited: false }],
  api: MailLoginApi,
  layer: Layer.mergeAll(
    HttpApiBuilder.layer(MailLoginApi).pipe(
      Layer.provide([mailTokens, introspectionHandler]),
      Layer.provide(MailTokens.layer.pipe(Layer.provide([projection, signingKeys])))
    ),
    Layer.effectDiscard(
      Effect.andThen(
        Effect.flatMap(Introspection.Introspection, ({ handle }) => Lane.handle(`POST ${introspectionPath}`, handle)),
        Health.component("mail_accounts", health)
      )
    ).pipe(Layer.provide([introspection, projection]))
  )
})
