/**
 * Hands a delivery to the channel that serves it, with what the configuration says of that channel.
 */
import { Clock, Effect, Layer, type Scope, Semaphore } from "effect"
import { parseCidr } from "#core/http/AddressGuard.ts"
import type { Component } from "#core/daemon/Health.ts"
import { OutboundHttp } from "#core/http/OutboundHttp.ts"
import type { Speech } from "#core/speech/Speech.ts"
import { BotApi } from "#protocols/bot-api/BotApi.ts"
import { admittedFor } from "./webhook/LoopbackAdmission.ts"
import { Channels, type Deliver, type DeliveryRequest, type TakeTurn, type Turn } from "./Channels.ts"
import { CallChannel } from "./call/CallChannel.ts"
import type * as Gate from "./limits/Throttle.ts"
import { makePlaces } from "./limits/HostSlots.ts"
import * as Messenger from "./messenger/Messenger.ts"
import { MessengerBot } from "./messenger/MessengerBot.ts"
import * as MessengerVoice from "./messenger/MessengerVoice.ts"
import type { Outcome } from "./Outcome.ts"
import * as Webhook from "./webhook/Webhook.ts"
import type { CommConfig } from "../Config.ts"
import { Gates } from "./limits/ChannelThrottles.ts"

/**
 * Unit: messages begun and not recorded. Reason: the bot API takes about 30 a second in all, and a killed process then leaves
 * at most one in doubt. Those in hand behind it have been claimed, and no more.
 */
const messagesAtOnce = 1

const permanent = (reason: string) => Effect.succeed<Outcome>({ _tag: "Permanent", reason })

export const layer = (config: CommConfig): Layer.Layer<Channels, never, Gates | MessengerBot | CallChannel | Speech> =>
  Layer.effect(
    Channels,
    Effect.gen(function* () {
      const gate = yield* Gates
      const call = yield* CallChannel
      const context = yield* Effect.context<OutboundHttp | Speech>()
      const places = makePlaces()
      const allow = config.webhookAllow.map(parseCidr).filter((cidr) => cidr !== undefined)
      const { api } = yield* MessengerBot

      const webhook = (request: DeliveryRequest) => {
        const admitted = admittedFor(request.admit, request.target)
        return gate.webhook
          .through(
            request.target,
            Webhook.deliver({
              url: request.target,
              idempotencyKey: request.idempotencyKey,
              attempt: request.attempt,
              // A redirect from the admitted place would carry the exception to its other ports.
              ...(admitted === undefined
                ? { allowCidrs: allow }
                : { allowCidrs: [...allow, admitted], maxRedirects: 0 }),
              ...(config.webhookSecret === undefined ? {} : { hmacSecret: config.webhookSecret }),
              body: {
                run_id: request.runId,
                event_type: request.eventType,
                severity: request.severity ?? "WARNING",
                subject: request.subject,
                body: request.text,
                from: request.sender,
                timestamp: request.receivedAt
              }
            })
          )
          .pipe(Effect.provideContext(context))
      }

      const messages = (request: DeliveryRequest) => {
        if (api === undefined) return permanent("unconfigured: set SIGNALBOX_MESSENGER_TOKEN")
        const message: Messenger.MessengerDelivery = {
          chatId: request.target,
          text: request.text,
          severity: request.severity ?? undefined,
          possibleSecond: request.possibleSecond,
          partsSent: request.partsSent,
          onPartSent: request.onPartSent
        }
        const there = Messenger.isThere(api)
        const { caption, tts_provider, tts_voice } = request.options
        const delivery =
          request.channel === "messenger"
            ? Messenger.deliver(message)
            : MessengerVoice.deliver({
                ...message,
                subject: request.subject,
                ...(caption === undefined ? {} : { caption }),
                ...(tts_provider === undefined ? {} : { provider: tts_provider }),
                ...(tts_voice === undefined ? {} : { voice: tts_voice })
              })
        // A repeat of what may have arrived is not spent on an API that does not answer.
        const sending = request.possibleSecond
          ? Effect.flatMap(there, (away) => (away === undefined ? delivery : Effect.succeed(away)))
          : delivery
        return gate.messenger
          .through(request.target, sending, request.possibleSecond ? undefined : there)
          .pipe(Effect.provideService(BotApi, api), Effect.provideContext(context))
      }

      const throughGateway = (request: DeliveryRequest, deliver: Deliver) =>
        gate.call.through(request.options.gateway ?? config.sipGateway ?? "", deliver(request))

      const callTurn: TakeTurn = (request) =>
        Effect.gen(function* () {
          const may = yield* gate.call.turn(request.options.gateway ?? config.sipGateway ?? "")
          if (may._tag === "NotBefore") return putOff(may)
          const turn = yield* call.turn(request)
          return turn._tag === "PutOff"
            ? turn
            : ({ _tag: "Go", deliver: (request) => throughGateway(request, turn.deliver) } satisfies Turn)
        })

      const chatTurn = (chat: string): Effect.Effect<Turn> =>
        Effect.map(gate.messenger.turn(chat), (turn) =>
          turn._tag === "Now" ? { _tag: "Go", deliver: messages } : putOff(turn)
        )

      const messengerTurn: TakeTurn = (request) => chatTurn(request.target)

      const oneMessage = Semaphore.makeUnsafe(messagesAtOnce)
      const inTurn = (chat: string): Effect.Effect<Turn, never, Scope.Scope> =>
        Effect.andThen(
          Effect.acquireRelease(oneMessage.take(messagesAtOnce), () => oneMessage.release(messagesAtOnce), {
            interruptible: true
          }),
          chatTurn(chat)
        )

      const webhookTurn = (host: string, priority: number): Effect.Effect<Turn, never, Scope.Scope> =>
        Effect.gen(function* () {
          const place = yield* places.take(host, priority)
          if (place._tag === "Taken") return { _tag: "Go", deliver: (request) => place.dialling(webhook(request)) }
          const until = (yield* Clock.currentTimeMillis) + place.retryAfter
          return {
            _tag: "PutOff",
            until,
            away: false,
            reason: "kept back, as the host has not answered what it was sent before"
          }
        })

      return Channels.of({
        deliver: (request) => {
          switch (request.channel) {
            case "webhook":
              return webhook(request)
            case "messenger":
            case "messenger_voice":
              return messages(request)
            case "call":
              return throughGateway(request, call.deliver)
            case "sms":
              return permanent("unsupported")
          }
        },
        turns: {
          call: callTurn,
          ...(api === undefined ? {} : { messenger: messengerTurn, messenger_voice: messengerTurn })
        },
        partyTurns: {
          webhook: webhookTurn,
          ...(api === undefined ? {} : { messenger: inTurn, messenger_voice: chatTurn })
        },
        recoveries: { call: call.recover }
      })
    })
  ).pipe(Layer.provide(OutboundHttp.layer))

const putOff = ({ at, away, reason }: Gate.GateTurn & { readonly _tag: "NotBefore" }): Turn => ({
  _tag: "PutOff",
  until: at,
  reason,
  away
})

/** What a gate says of its channel in `/health`. */
export const gateFigures = (status: Gate.GateStatus): Partial<Component> => ({
  breaker: status.state,
  breaker_since: new Date(status.since).toISOString(),
  sent_last_minute: status.lastMinute,
  ...(status.away.length === 0
    ? {}
    : { away: status.away.map(({ key, reason, since }) => ({ key, reason, since: new Date(since).toISOString() })) })
})
