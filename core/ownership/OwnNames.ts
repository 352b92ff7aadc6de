/** The provider's own domains, which no tenant may claim. */
import { Context, Effect, Layer } from "effect"
import { settings } from "../config/Environment.ts"
import { ownershipSettings } from "./OwnershipSettings.ts"

export class OwnNames extends Context.Service<OwnNames, ReadonlyArray<string>>()("signalbox/core/OwnNames") {
  static readonly layer = Layer.effect(
    this,
    Effect.map(settings(ownershipSettings), ({ mailHost, reservedDomains, sipHost }) => [
      ...(mailHost === undefined ? [] : [mailHost]),
      ...(sipHost === undefined ? [] : [sipHost.toLowerCase()]),
      ...reservedDomains
    ])
  )
}
