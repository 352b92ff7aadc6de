import { Effect, Layer } from "effect"
import { AlarmTrigger } from "#core/contracts/Alarm.ts"
import { settings } from "#core/config/Environment.ts"
import * as Feature from "#core/daemon/Feature.ts"
import { Greeting } from "#core/daemon/Greeting.ts"
import * as BanKeeper from "#core/gateway/BanKeeper.ts"
import { type Component, Health } from "#core/daemon/Health.ts"
import { Supervisor } from "#core/supervision/Supervisor.ts"
import * as BridgeState from "../intake/BridgeState.ts"
import * as MailReader from "../intake/MailReader.ts"
import { listener } from "./SmtpListener.ts"
import { conflicts, smtpSettings } from "./SmtpSettings.ts"

const register = Effect.gen(function* () {
  const config = yield* settings(smtpSettings)
  const { smtp } = yield* BridgeState.BridgeState
  smtp.host = config.smtpHost
  yield* Health.component("smtp", component)
  if (!config.smtp) return
  smtp.state = "starting"
  yield* Supervisor.actor(listener(config))
  // With port 0 the port is known when the actor listens, which may be after the greeting.
  yield* Greeting.add(() =>
    Effect.sync(() => [{ kind: "SMTP", text: `${config.smtpHost}:${smtp.port ?? config.smtpPort} (alarm mail)` }])
  )
})

/**
 * Health of the listener. A port held by another process is no fault: this process takes over when the other one ends.
 */
const component = Effect.map(BridgeState.BridgeState, ({ smtp }): Component => {
  if (smtp.state === "off") return { status: "unconfigured" }
  if (smtp.state === "starting") return { status: "degraded", detail: "not listening yet" }
  return {
    status: "ok",
    detail: smtp.state === "waiting" ? "waiting" : "listening",
    host: smtp.host,
    port: smtp.port ?? null
  }
})

/** Feature: alarm mail by SMTP. */
export const smtpListener = Feature.make({
  settings: smtpSettings,
  conflicts,
  queues: [AlarmTrigger],
  layer: Layer.provide(
    Layer.effectDiscard(register),
    Layer.mergeAll(MailReader.layer, BridgeState.layer, BanKeeper.layer)
  )
})
