import { Context, Effect, Layer } from "effect"
import * as Cache from "#core/Cache.ts"
import { AlarmTrigger } from "#core/contracts/Alarm.ts"
import * as Daemon from "#core/Daemon.ts"
import { settings } from "#core/Environment.ts"
import { actors } from "./Actors.ts"
import { CommApi } from "./Api.ts"
import * as Channels from "./ChannelsLive.ts"
import * as CommHealth from "./CommHealth.ts"
import * as ComponentProbes from "./ComponentProbes.ts"
import { type CommConfig, commSettings } from "./Config.ts"
import { deliveryQueues } from "./Deliveries.ts"
import * as Facts from "./Facts.ts"
import { handlers } from "./Handlers.ts"
import * as Heartbeat from "./Heartbeat.ts"
import { ledger } from "./migrations/0001_ledger.ts"
import * as Results from "./Results.ts"
import * as Workflow from "./Workflow.ts"

/** The decoded configuration, for the actors. */
class Config extends Context.Service<Config, CommConfig>()("signalbox/comm-dispatcher/Config") {}

const services = Layer.unwrap(Effect.map(settings(commSettings), (config) =>
  Layer.mergeAll(Workflow.layer(config), Results.layer, Heartbeat.layer(config), Layer.succeed(Config, config)).pipe(
    Layer.provideMerge(Layer.mergeAll(Channels.layer(config), CommHealth.layer)),
    Layer.provideMerge(ComponentProbes.layer(config)),
    Layer.provideMerge(Layer.mergeAll(Cache.layer, Facts.layer))
  )))

/** Alarm workflows, channels and their ledger. */
export const commDispatcher = Daemon.make({
  name: "comm-dispatcher",
  title: "Alarms and messages",
  port: 8105,
  settings: commSettings,
  migrations: { schema: "comm_dispatcher", steps: [ledger] },
  queues: [AlarmTrigger.queue, ...deliveryQueues],
  routes: [{ prefix: "/api/v1/workflows", authenticated: true }, { prefix: "/api/v1/comm", authenticated: true }],
  api: CommApi,
  http: handlers,
  services,
  actors: Effect.flatMap(Config, actors),
  components: Effect.gen(function*() {
    const config = yield* Config
    const { kind } = yield* Cache.Cache
    const seen = yield* Effect.flatMap(Facts.Facts, (facts) => facts.seen)
    return {
      messenger: config.messengerToken === undefined ? { status: "unconfigured" } : Facts.componentOf("messenger", seen.messenger),
      webhook: Facts.componentOf("webhook", seen.webhook),
      cache: { ...Facts.componentOf("cache", seen.cache), kind },
      senders: config.allowedSenders.length + config.allowedDomains.length === 0
        ? { status: "unconfigured", detail: "nobody may raise alarms by mail" }
        : { status: "ok" }
    } as const
  })
})
