/** The provider's own domains, which no tenant may claim, as they are now. */
import { Context, Effect, Layer } from "effect"
import { settings } from "../config/Environment.ts"
import { StoredSettings } from "../settings/StoredSettings.ts"
import { ownershipSettings } from "./OwnershipSettings.ts"

export class OwnNames extends Context.Service<OwnNames, () => ReadonlyArray<string>>()("signalbox/core/OwnNames") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const { reservedDomains, sipHost } = yield* settings(ownershipSettings)
      const { value } = yield* StoredSettings
      return () => {
        const mailHost = value(ownershipSettings.mailHost)
        return [
          ...(mailHost === undefined ? [] : [mailHost]),
          ...(sipHost === undefined ? [] : [sipHost.toLowerCase()]),
          ...reservedDomains
        ]
      }
    })
  )
}
