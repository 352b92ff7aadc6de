import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { settings } from "#core/config/Environment.ts"
import * as Feature from "#core/daemon/Feature.ts"
import { accessRefusals, publicBase } from "../sessions/Exports.ts"
import { FederationApi } from "./Api.ts"
import { federation as handlers } from "./Handlers.ts"
import { linked } from "./LinkedProviderHandlers.ts"
import { federation as federationTables } from "./migrations/0004_federation.ts"
import * as Providers from "./Providers.ts"
import { oidcConflicts, oidcSettings, providersOf } from "./Settings.ts"

const providers = Layer.unwrap(Effect.map(settings(oidcSettings), (values) => Providers.layer(providersOf(values))))

/** Sign-in through OpenID Connect providers, and connections of accounts with them. */
export const federation = Feature.make({
  settings: oidcSettings,
  conflicts: oidcConflicts,
  migrations: [federationTables],
  api: FederationApi,
  layer: HttpApiBuilder.layer(FederationApi).pipe(
    Layer.provide([handlers, linked]),
    Layer.provide([providers, publicBase, accessRefusals])
  )
})
