import { Effect, Layer } from "effect"
import { NotificationWanted } from "#core/contracts/Notifications.ts"
import { settings } from "#core/config/Environment.ts"
import * as Feature from "#core/daemon/Feature.ts"
import { Supervisor } from "#core/supervision/Supervisor.ts"
import { statusFiles } from "../status-files/Exports.ts"
import { proposer } from "./Proposer.ts"
import { proposalSettings } from "./Settings.ts"

const register = Effect.flatMap(settings(proposalSettings), (config) => Supervisor.actor(proposer(config)))

/** Drafts of incidents for components that stay down. */
export const proposals = Feature.make({
  settings: proposalSettings,
  queues: [NotificationWanted],
  layer: Layer.provide(Layer.effectDiscard(register), statusFiles)
})
