import { Effect, Layer } from "effect"
import * as Feature from "#core/daemon/Feature.ts"
import { Supervisor } from "#core/supervision/Supervisor.ts"
import { Edge } from "../edge/Edge.ts"
import { edgeSettings } from "../edge/EdgeSettings.ts"
import { sealedCodes, sealedSecret } from "./FactorRows.ts"
import { housekeeping } from "./Housekeeping.ts"
import { edge } from "./migrations/0001_edge.ts"
import { registration } from "./migrations/0002_registration.ts"
import { knownAddresses } from "./migrations/0003_known_addresses.ts"
import { removedUsers } from "./migrations/0004_removed_users.ts"

const register = Effect.flatMap(Edge, ({ limits }) => Supervisor.actor(housekeeping(limits)))

/** Users of edge-auth, their sessions and second factors. */
export const accounts = Feature.make({
  settings: edgeSettings,
  migrations: [edge, registration, knownAddresses, removedUsers],
  sealed: [sealedSecret, sealedCodes],
  layer: Layer.provide(Layer.effectDiscard(register), Edge.layer)
})
