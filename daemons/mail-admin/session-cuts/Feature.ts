import { Layer } from "effect"
import * as Feature from "#core/daemon/Feature.ts"
import { Health } from "#core/daemon/Health.ts"
import * as SessionCuts from "./SessionCuts.ts"
import { conflicts, sessionSettings } from "./SessionSettings.ts"

/** Ends Dovecot sessions of mailboxes that are suspended, deleted or get a new password. */
export const sessionCuts = Feature.make({
  settings: sessionSettings,
  conflicts,
  queues: [SessionCuts.CutSessions],
  layer: Layer.provide(Layer.effectDiscard(Health.component("session_cuts", SessionCuts.component)), SessionCuts.layer)
})
