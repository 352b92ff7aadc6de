/** The channels in `/health`, from recorded observations; the report asks no service. */
import { Effect } from "effect"
import { Cache } from "#core/cache/Cache.ts"
import type { Component } from "#core/daemon/Health.ts"
import { Speech } from "#core/speech/Speech.ts"
import { CallChannel } from "../call/CallChannel.ts"
import { ChannelThrottles } from "../limits/ChannelThrottles.ts"
import type * as Throttle from "../limits/Throttle.ts"
import type { ChannelConfig } from "../Settings.ts"
import * as PeerHealth from "./PeerHealth.ts"

export const channelComponents = (config: Pick<ChannelConfig, "messengerToken">) =>
  Effect.gen(function* () {
    const { kind } = yield* Cache
    const { seen: current } = yield* PeerHealth.PeerHealth
    const seen = yield* current
    const throttles = yield* ChannelThrottles
    const speech = yield* Effect.flatMap(Speech, ({ status }) => status)
    const telephony = yield* Effect.flatMap(CallChannel, ({ status }) => status)
    return {
      messenger:
        config.messengerToken === undefined
          ? { status: "unconfigured" as const }
          : {
              ...PeerHealth.componentOf("messenger", seen.messenger),
              ...throttleFigures(yield* throttles.messenger.status)
            },
      webhook: {
        ...PeerHealth.componentOf("webhook", seen.webhook),
        ...throttleFigures(yield* throttles.webhook.status)
      },
      telephony:
        telephony.status === "unconfigured"
          ? telephony
          : { ...throttleFigures(yield* throttles.call.status), ...telephony },
      tts: { ...speech },
      cache: { ...PeerHealth.componentOf("cache", seen.cache), kind }
    } satisfies Record<string, Component>
  })

const throttleFigures = (status: Throttle.ThrottleStatus): Partial<Component> => ({
  breaker: status.state,
  breaker_since: new Date(status.since).toISOString(),
  sent_last_minute: status.lastMinute,
  ...(status.away.length === 0
    ? {}
    : { away: status.away.map(({ key, reason, since }) => ({ key, reason, since: new Date(since).toISOString() })) })
})
