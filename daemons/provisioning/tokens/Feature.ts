import { Duration, Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as Feature from "#core/daemon/Feature.ts"
import { transaction } from "#core/sql/Sql.ts"
import { periodic } from "#core/supervision/Periodic.ts"
import { Supervisor } from "#core/supervision/Supervisor.ts"
import { TokensApi } from "./Api.ts"
import { clientTokens } from "./Handlers.ts"
import { tokens as tables } from "./migrations/0031_tokens.ts"
import { tokenSettings } from "./Settings.ts"
import * as Store from "./Store.ts"

/** Interval of deletions of old tokens. */
const sweepEvery = Duration.hours(6)

const sweep = Supervisor.actor(
  periodic({
    name: "old client tokens",
    every: sweepEvery,
    round: Effect.map(transaction(Store.prune), (gone) => `${gone} deleted`)
  })
)

/** One-time links that set up devices. */
export const tokens = Feature.make({
  settings: tokenSettings,
  migrations: [tables],
  api: TokensApi,
  layer: Layer.merge(HttpApiBuilder.layer(TokensApi).pipe(Layer.provide(clientTokens)), Layer.effectDiscard(sweep))
})
