/**
 * Probes of `GET /comm/health`: each sends one request to its service. A problem is an answer, not an error. CommHealth
 * sets time limits and the overall status.
 */
import { Context, Duration, Effect, Layer, Option } from "effect"
import { Cache } from "#core/cache/Cache.ts"
import { missingOf } from "#core/config/SwitchSettings.ts"
import { Speech } from "#core/speech/Speech.ts"
import { rebuilt } from "#core/settings/LiveSettings.ts"
import { type BotApi, make as makeBot } from "#protocols/bot-api/BotApi.ts"
import { EventSocket } from "#protocols/event-socket/EventSocket.ts"
import type { CommComponents } from "./HealthResponse.ts"
import type { ChannelConfig } from "../Settings.ts"

/** Time limit of one probe. Reason: the caller waits for the slowest. */
export const probeTimeout = Duration.seconds(3)

export type ComponentName = keyof CommComponents

export type Probes = { readonly [Name in ComponentName]: Effect.Effect<CommComponents[Name]> }

export class ComponentProbes extends Context.Service<ComponentProbes, Probes>()(
  "signalbox/comm-dispatcher/ComponentProbes"
) {}

/** Round trip of a cache look-up. */
export const cacheProbe = (cache: Cache["Service"]): Probes["cache"] =>
  Effect.match(cache.latency, {
    onSuccess: (latency_ms) => ({ status: "ok", kind: cache.kind, latency_ms }),
    onFailure: (error) => ({ status: "degraded", kind: cache.kind, latency_ms: null, detail: error.message })
  })

/** Whether the bot API accepts the token. */
export const messengerProbe = (bot: BotApi["Service"]): Probes["messenger"] =>
  Effect.match(bot.getMe, {
    onSuccess: (me) => ({ status: "ok", ...(me.username === undefined ? {} : { bot: me.username }) }),
    onFailure: (error) => ({ status: "degraded", detail: error.ownWords })
  })

/** Whether the switch answers on the connection used for calls. */
export const telephonyProbe = (socket: EventSocket["Service"]): Probes["telephony"] =>
  Effect.match(socket.api("status"), {
    onSuccess: (answer) =>
      /^UP\b/m.test(answer) ? { status: "ok" } : { status: "degraded", detail: "the switch reports that it is not up" },
    onFailure: (error) => ({ status: "degraded", detail: error.ownWords })
  })

/** Whether speech synthesis works, and which provider would speak. */
export const ttsProbe = (speech: Speech["Service"]): Probes["tts"] =>
  Effect.map(speech.check, ({ detail, provider, status }) => ({
    status,
    provider: provider ?? null,
    ...(detail === undefined ? {} : { detail })
  }))

const unconfigured = { status: "unconfigured" } as const

/** The probes. Without `Speech` or `EventSocket` in the context that component is unconfigured. */
export const layer = (config: ChannelConfig): Layer.Layer<ComponentProbes, never, Cache> =>
  Layer.effect(
    ComponentProbes,
    Effect.gen(function* () {
      const speech = yield* Effect.serviceOption(Speech)
      const socket = yield* Effect.serviceOption(EventSocket)
      const bot = rebuilt(
        () => [config.messengerToken, config.messengerUrl],
        (token, baseUrl) =>
          token === undefined
            ? undefined
            : makeBot({ token, timeout: probeTimeout, ...(baseUrl === undefined ? {} : { baseUrl }) })
      )
      return ComponentProbes.of({
        cache: cacheProbe(yield* Cache),
        tts: Option.match(speech, {
          onNone: () => Effect.succeed({ ...unconfigured, provider: null }),
          onSome: ttsProbe
        }),
        telephony: Effect.suspend(() =>
          Option.isNone(socket) || missingOf(config) !== undefined
            ? Effect.succeed(unconfigured)
            : telephonyProbe(socket.value)
        ),
        messenger: Effect.suspend(() => {
          const present = bot()
          return present === undefined ? Effect.succeed(unconfigured) : messengerProbe(present)
        })
      })
    })
  )
