import { Context, Effect, Layer } from "effect"
import * as Cache from "#core/cache/Cache.ts"
import { AlarmTrigger } from "#core/contracts/Alarm.ts"
import { MessengerCode } from "#core/contracts/Messenger.ts"
import * as Legacy from "#core/daemon/Legacy.ts"
import { settings } from "#core/config/Environment.ts"
import { OutboundHttp } from "#core/http/OutboundHttp.ts"
import { Speech } from "#core/speech/Speech.ts"
import { speechPath, SpeechUrls } from "#core/speech/SpeechUrl.ts"
import { actors } from "./Actors.ts"
import { CommApi } from "./Api.ts"
import * as CallChannel from "./channels/call/CallChannel.ts"
import * as MessengerBot from "./channels/messenger/MessengerBot.ts"
import * as Channels from "./channels/ChannelsLive.ts"
import * as CommHealth from "./channels/health/CommHealth.ts"
import * as ComponentProbes from "./channels/health/ComponentProbes.ts"
import { components } from "./Components.ts"
import { type CommConfig, commSettings } from "./Config.ts"
import * as ConsoleFiles from "./console-host/ConsoleFiles.ts"
import { deliveryQueues } from "./alarms/attempt/DeliveryJobs.ts"
import * as Facts from "./channels/health/PeerHealth.ts"
import * as Gates from "./channels/limits/ChannelThrottles.ts"
import { handlers } from "./Handlers.ts"
import * as Heartbeat from "./alarms/Heartbeat.ts"
import { Hub, hubPath, layer as hubLayer } from "./event-socket/hub/Hub.ts"
import { ledger } from "./alarms/migrations/0001_ledger.ts"
import { notifications } from "./notifications/migrations/0002_notifications.ts"
import { notificationChannels } from "./notifications/migrations/0003_notification_channels.ts"
import { workflows } from "./workflows/migrations/0004_workflows.ts"
import { webPush } from "./notifications/migrations/0005_web_push.ts"
import * as NotificationActors from "./notifications/NotificationActors.ts"
import * as NotifySettings from "./notifications/mail/MailRoute.ts"
import * as PushKeys from "./notifications/push/PushKeys.ts"
import { sealedSubscriptions } from "./notifications/push/PushStore.ts"
import * as Recorder from "./alarms/attempt/BeginAttempt.ts"
import * as Results from "./alarms/run/ResultCache.ts"
import * as SecondPathParts from "./alarms/watch/AlarmWatches.ts"
import * as Workflow from "./alarms/run/StartRun.ts"
import * as WorkflowActors from "./workflows/WorkflowActors.ts"

/** The decoded configuration, for the actors. */
class Config extends Context.Service<Config, CommConfig>()("signalbox/comm-dispatcher/Config") {}

const services = Layer.unwrap(
  Effect.map(settings(commSettings), (config) =>
    Layer.mergeAll(
      Layer.provideMerge(Recorder.layer(config), Workflow.layer(config)),
      Results.layer,
      Heartbeat.layer(config),
      Layer.succeed(Config, config),
      NotifySettings.layer(config),
      PushKeys.layer,
      OutboundHttp.layer,
      hubLayer
    ).pipe(
      Layer.provideMerge(Layer.mergeAll(Channels.layer(config), CommHealth.layer)),
      Layer.provideMerge(Layer.mergeAll(ComponentProbes.layer(config), MessengerBot.layer(config))),
      Layer.provideMerge(Gates.layer(config)),
      Layer.provideMerge(CallChannel.layer(config)),
      Layer.provideMerge(Layer.mergeAll(Speech.layer(config), SpeechUrls.layer(config), SecondPathParts.layer(config))),
      Layer.provideMerge(Layer.mergeAll(Cache.layer, Facts.layer))
    )
  )
)

/** Alarm workflows, channels and their ledger. */
export const commDispatcher = Legacy.make({
  name: "comm-dispatcher",
  title: "Alarms and messages",
  port: 8105,
  settings: commSettings,
  conflicts: SecondPathParts.conflicts,
  migrations: { schema: "comm_dispatcher", steps: [ledger, notifications, notificationChannels, workflows, webPush] },
  sealed: [PushKeys.sealedPushKey, sealedSubscriptions],
  queues: [
    AlarmTrigger.queue,
    ...deliveryQueues,
    MessengerCode.queue,
    ...SecondPathParts.queues,
    ...NotificationActors.queues,
    ...WorkflowActors.queues
  ],
  routes: [
    { prefix: "/api/v1/workflows", authenticated: true },
    { prefix: "/api/v1/comm", authenticated: true },
    { prefix: "/api/v1/notifications", authenticated: true },
    { prefix: "/api/v1/events", authenticated: true },
    // The telephone switch has no token: its addresses are signed, and end.
    { prefix: speechPath },
    // Clients say who they are in their first frame: a token does not belong into an address.
    { prefix: hubPath },
    // The page itself is for everybody: what it shows it asks for with the token of whoever signed in.
    { prefix: ConsoleFiles.consolePath }
  ],
  api: CommApi,
  http: handlers,
  services,
  fastLane: Effect.map(
    SpeechUrls,
    ({ lane }) =>
      new Map([...lane, ...ConsoleFiles.lane(ConsoleFiles.read(ConsoleFiles.consoleFolder(import.meta.url)))])
  ),
  upgradePath: hubPath,
  upgrade: Effect.map(Hub, ({ upgrade }) => upgrade),
  actors: Effect.map(Effect.all([Effect.flatMap(Config, actors), Hub]), ([others, hub]) => [...others, ...hub.actors]),
  components: Effect.map(
    Effect.all([Effect.flatMap(Config, components), Effect.flatMap(Hub, ({ component }) => component)]),
    ([others, hub]) => ({ ...others, event_socket: hub })
  )
})
