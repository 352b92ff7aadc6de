/** The daemon's parts for `/health`, from what is known: no question is asked for the report. */
import { Effect } from "effect"
import { Cache } from "#core/cache/Cache.ts"
import type { Component } from "#core/daemon/Health.ts"
import { Speech } from "#core/speech/Speech.ts"
import { gateFigures } from "./channels/ChannelsLive.ts"
import { Gates } from "./channels/limits/ChannelThrottles.ts"
import { CallChannel } from "./channels/call/CallChannel.ts"
import type { CommConfig } from "./Config.ts"
import * as Facts from "./channels/health/PeerHealth.ts"
import { MailWay } from "./notifications/mail/MailRoute.ts"
import * as SecondPathParts from "./alarms/watch/AlarmWatches.ts"
import { eventWorkflows } from "./workflows/definitions/Registry.ts"
import { registryComponent } from "./workflows/engine/ConsumerLag.ts"

export const components = (config: CommConfig) =>
  Effect.gen(function* () {
    const { kind } = yield* Cache
    const seen = yield* Effect.flatMap(Facts.Facts, (facts) => facts.seen)
    const gates = yield* Gates
    const speech = yield* Effect.flatMap(Speech, ({ status }) => status)
    const telephony = yield* Effect.flatMap(CallChannel, ({ component }) => component)
    return {
      messenger:
        config.messengerToken === undefined
          ? { status: "unconfigured" as const }
          : { ...Facts.componentOf("messenger", seen.messenger), ...gateFigures(yield* gates.messenger.status) },
      webhook: { ...Facts.componentOf("webhook", seen.webhook), ...gateFigures(yield* gates.webhook.status) },
      telephony:
        telephony.status === "unconfigured" ? telephony : { ...gateFigures(yield* gates.call.status), ...telephony },
      tts: { ...speech },
      cache: { ...Facts.componentOf("cache", seen.cache), kind },
      senders:
        config.allowedSenders.length + config.allowedDomains.length === 0
          ? { status: "unconfigured", detail: "nobody may raise alarms by mail" }
          : { status: "ok" },
      notification_mail: yield* Effect.flatMap(MailWay, ({ component }) => component),
      workflows: yield* registryComponent(eventWorkflows),
      ...(yield* SecondPathParts.components)
    } satisfies Record<string, Component>
  })
