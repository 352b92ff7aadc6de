/**
 * What `GET /comm/health` asks: each probe puts one question to its other side, now, and answers with what it found. A
 * probe that finds something wrong says so as its answer; time limits and the verdict are CommHealth's.
 */
import { Context, Duration, Effect, Layer, Option } from "effect"
import { Cache } from "#core/cache/Cache.ts"
import { Speech } from "#core/speech/Speech.ts"
import { type BotApi, make as makeBot } from "#protocols/bot-api/BotApi.ts"
import { EventSocket } from "#protocols/event-socket/EventSocket.ts"
import type { CommComponents } from "./HealthResponse.ts"
import type { ChannelConfig } from "../Settings.ts"

/** How long one probe may take. Reason: who asks for health waits for the slowest. */
export const probeTimeout = Duration.seconds(3)

export type ComponentName = keyof CommComponents

export type Probes = { readonly [Name in ComponentName]: Effect.Effect<CommComponents[Name]> }

export class ComponentProbes extends Context.Service<ComponentProbes, Probes>()(
  "signalbox/comm-dispatcher/ComponentProbes"
) {}

/** A look-up's round trip. */
export const cacheProbe = (cache: Cache["Service"]): Probes["cache"] =>
  Effect.match(cache.latency, {
    onSuccess: (latency_ms) => ({ status: "ok", kind: cache.kind, latency_ms }),
    onFailure: (error) => ({ status: "degraded", kind: cache.kind, latency_ms: null, detail: error.message })
  })

/** Whether the bot's token is accepted. */
export const messengerProbe = (bot: BotApi["Service"]): Probes["messenger"] =>
  Effect.match(bot.getMe, {
    onSuccess: (me) => ({ status: "ok", ...(me.username === undefined ? {} : { bot: me.username }) }),
    onFailure: (error) => ({ status: "degraded", detail: error.message })
  })

/** Whether the switch answers on the connection that calls go over. */
export const telephonyProbe = (socket: EventSocket["Service"]): Probes["telephony"] =>
  Effect.match(socket.api("status"), {
    onSuccess: (answer) =>
      /^UP\b/m.test(answer) ? { status: "ok" } : { status: "degraded", detail: "the switch says that it is not up" },
    onFailure: (error) => ({ status: "degraded", detail: error.message })
  })

/** Whether the speech gateway speaks, and who would speak now. */
export const ttsProbe = (speech: Speech["Service"]): Probes["tts"] =>
  Effect.map(speech.check, ({ detail, provider, status }) => ({
    status,
    provider: provider ?? null,
    ...(detail === undefined ? {} : { detail })
  }))

const unconfigured = { status: "unconfigured" } as const

/** The probes of what there is: without `Speech` or `EventSocket` in its context that part is unconfigured. */
export const layer = (config: ChannelConfig): Layer.Layer<ComponentProbes, never, Cache> =>
  Layer.effect(
    ComponentProbes,
    Effect.gen(function* () {
      const speech = yield* Effect.serviceOption(Speech)
      const socket = yield* Effect.serviceOption(EventSocket)
      return ComponentProbes.of({
        cache: cacheProbe(yield* Cache),
        tts: Option.match(speech, {
          onNone: () => Effect.succeed({ ...unconfigured, provider: null }),
          onSome: ttsProbe
        }),
        telephony: Option.match(socket, { onNone: () => Effect.succeed(unconfigured), onSome: telephonyProbe }),
        messenger:
          config.messengerToken === undefined
            ? Effect.succeed(unconfigured)
            : messengerProbe(
                makeBot({
                  token: config.messengerToken,
                  timeout: probeTimeout,
                  ...(config.messengerUrl === undefined ? {} : { baseUrl: config.messengerUrl })
                })
              )
      })
    })
  )
