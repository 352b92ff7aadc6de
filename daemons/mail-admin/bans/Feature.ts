import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as LiftedBans from "#core/bans/LiftedBans.ts"
import { settings } from "#core/config/Environment.ts"
import * as Feature from "#core/daemon/Feature.ts"
import * as BanKeeper from "#core/gateway/BanKeeper.ts"
import * as Exemptions from "#core/gateway/Exemptions.ts"
import { BansApi } from "./Api.ts"
import * as AuthPolicy from "./AuthPolicy.ts"
import * as Bans from "./Bans.ts"
import { banSettings, policyPlaces } from "./BanSettings.ts"
import { authPolicy, bans as handlers } from "./Handlers.ts"
import { bans as tables } from "./migrations/0003_bans.ts"
import * as PolicyService from "./PolicyService.ts"

const heard = Layer.unwrap(
  Effect.map(settings(banSettings), (values) =>
    Layer.merge(AuthPolicy.layer, PolicyService.layer(policyPlaces(values), values.policyClients)).pipe(
      Layer.provide(Layer.provide(Bans.layer(values.banExempt), Exemptions.layer))
    )
  )
)

/** Bans for wrong passwords and mail floods, from reports of Dovecot and Postfix. */
export const bans = Feature.make({
  settings: banSettings,
  migrations: [tables],
  routes: [{ prefix: "/api/v1/mail/auth-policy", rateLimited: false }],
  api: BansApi,
  layer: Layer.mergeAll(
    HttpApiBuilder.layer(BansApi).pipe(Layer.provide(Layer.merge(handlers, authPolicy))),
    heard,
    LiftedBans.layer({ consumer: "mail-admin.ban-lifts", table: "mail_admin.ban" }),
    BanKeeper.files
  )
})
