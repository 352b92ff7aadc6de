import { Layer } from "effect"
import * as Feature from "#core/daemon/Feature.ts"
import { Supervisor } from "#core/supervision/Supervisor.ts"
import { observer } from "../verification/Exports.ts"
import { claimLooks } from "./ClaimLooks.ts"

/** Proves claims to domain names by their TXT record. */
export const nameClaims = Feature.make({
  layer: Layer.provide(Layer.effectDiscard(Supervisor.actor(claimLooks)), observer)
})
