/**
 * What `GET /comm/health` asks: each probe puts one question to its other side, now, and answers with what it found. A
 * probe that finds something wrong says so as its answer; time limits and the verdict are CommHealth's.
 */
import { Context, Duration, Effect, Layer } from "effect"
import { Cache } from "#core/Cache.ts"
import { type BotApi, make as makeBot } from "#protocols/bot-api/BotApi.ts"
import type { EventSocket } from "#protocols/event-socket/EventSocket.ts"
import type { CommComponents } from "./api/CommAnswers.ts"
import type { CommConfig } from "./Config.ts"

/** How long one probe may take. Reason: who asks for health waits for the slowest. */
export const probeTimeout = Duration.seconds(3)

export type ComponentName = keyof CommComponents

export type Probes = { readonly [Name in ComponentName]: Effect.Effect<CommComponents[Name]> }

export class ComponentProbes extends Context.Service<ComponentProbes, Probes>()("signalbox/comm-dispatcher/ComponentProbes") {}

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
    onSuccess: (answer) => /^UP\b/m.test(answer) ? { status: "ok" } : { status: "degraded", detail: "the switch says that it is not up" },
    onFailure: (error) => ({ status: "degraded", detail: error.message })
  })

/** The probes of what is configured here; `telephony` and `tts` are handed in by who has a switch and a speech gateway. */
export const layer = (
  config: CommConfig,
  given: Partial<Pick<Probes, "telephony" | "tts">> = {}
): Layer.Layer<ComponentProbes, never, Cache> =>
  Layer.effect(
    ComponentProbes,
    Effect.map(Cache, (cache) => ({
      cache: cacheProbe(cache),
      messenger: config.messengerToken === undefined
        ? Effect.succeed({ status: "unconfigured" as const })
        : messengerProbe(makeBot({
          token: config.messengerToken,
          timeout: probeTimeout,
          ...(config.messengerUrl === undefined ? {} : { baseUrl: config.messengerUrl })
        })),
      telephony: given.telephony ?? Effect.succeed({ status: "unconfigured" }),
      tts: given.tts ?? Effect.succeed({ status: "unconfigured", provider: null })
    }))
  )
