import { Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as Feature from "#core/daemon/Feature.ts"
import { AccountsApi } from "./Api.ts"
import { bankHandlers } from "./Handlers.ts"
import { keyHealth } from "./keys/KeyHealth.ts"
import { sealedKeys } from "./keys/PrivateKeys.ts"
import { bankAccess, bankConnections } from "./Layers.ts"
import { letters } from "./letter/Letters.ts"
import { accounts as tables } from "./migrations/0001_accounts.ts"
import { accountSettings } from "./Settings.ts"

/** Bank accounts, their EBICS keys, and the letters to the bank. */
export const accounts = Feature.make({
  settings: accountSettings,
  migrations: [tables],
  sealed: [sealedKeys],
  api: AccountsApi,
  layer: Layer.merge(
    HttpApiBuilder.layer(AccountsApi).pipe(Layer.provide(bankHandlers)),
    Layer.effectDiscard(keyHealth)
  ).pipe(Layer.provide([bankAccess, bankConnections, letters]))
})
