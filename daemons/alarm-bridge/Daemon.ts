import { Context, Effect, Layer } from "effect"
import { AlarmTrigger } from "#core/contracts/Alarm.ts"
import * as Legacy from "#core/daemon/Legacy.ts"
import { settings } from "#core/config/Environment.ts"
import * as SecondPath from "#core/second-path/SecondPath.ts"
import type { ActorSpec } from "#core/supervision/Supervisor.ts"
import { BridgeApi } from "./Api.ts"
import * as BridgeState from "./BridgeState.ts"
import { type BridgeConfig, bridgeSettings, conflicts } from "./Config.ts"
import { components } from "./Components.ts"
import { handlers } from "./Handlers.ts"
import { Mailboxes } from "./Mailboxes.ts"
import { mailboxWatch } from "./MailboxWatch.ts"
import { watcher } from "./MailboxWatcher.ts"
import * as MailReader from "./MailReader.ts"
import { mailboxes } from "./migrations/0001_mailboxes.ts"
import { listener } from "./SmtpListener.ts"

/** The decoded configuration, for the actors. */
class Config extends Context.Service<Config, BridgeConfig>()("signalbox/alarm-bridge/Config") {}

const services = Layer.unwrap(
  Effect.gen(function* () {
    const config = yield* settings(bridgeSettings)
    return Layer.mergeAll(
      MailReader.layer,
      BridgeState.layer({ on: config.smtp, host: config.smtpHost }),
      SecondPath.layer({ daemon: "alarm-bridge", minute: config.minute }),
      Layer.succeed(Mailboxes, config.mailboxes),
      Layer.succeed(Config, config)
    )
  })
)

/** Alarm mail in: mailboxes by IMAP, devices by SMTP. */
export const alarmBridge = Legacy.make({
  name: "alarm-bridge",
  title: "Alarm mail in",
  port: 8104,
  settings: bridgeSettings,
  conflicts,
  migrations: { schema: "alarm_bridge", steps: [mailboxes] },
  queues: [AlarmTrigger.queue],
  routes: [{ prefix: "/api/v1/alarm-bridge", authenticated: true }],
  api: BridgeApi,
  http: handlers,
  services,
  actors: Effect.map(
    Effect.all([Config, SecondPath.SecondPath]),
    ([config, secondPath]): ReadonlyArray<ActorSpec<any>> => [
      secondPath.actor,
      ...(config.mailboxes.length === 0 ? [] : [mailboxWatch(config.minute)]),
      ...(config.smtp ? [listener(config)] : []),
      ...config.mailboxes.map((mailbox) => watcher(mailbox, { ...config, of: config.mailboxes.length }))
    ]
  ),
  components
})
