/** Routes each delivery to its channel, with the settings of that channel. */
import { Clock, Effect, Layer, type Scope, Semaphore } from "effect"
import { alarmReceived } from "#core/contracts/Alarm.ts"
import type { Secrets } from "#core/config/Secrets.ts"
import { parseCidr } from "#core/http/AddressGuard.ts"
import type { OutboundHttp } from "#core/http/OutboundHttp.ts"
import { StoredSettings } from "#core/settings/StoredSettings.ts"
import type { Speech } from "#core/speech/Speech.ts"
import { BotApi } from "#protocols/bot-api/BotApi.ts"
import { admittedFor } from "./webhook/LoopbackAdmission.ts"
import { Channels, type Deliver, type DeliveryRequest, type TakeTurn, type Turn } from "./Channels.ts"
import { CallChannel } from "./call/CallChannel.ts"
import { withLink } from "./links/AcknowledgeLinks.ts"
import type * as Throttle from "./limits/Throttle.ts"
import * as Messenger from "./messenger/Messenger.ts"
import { MessengerBot } from "./messenger/MessengerBot.ts"
import * as MessengerVoice from "./messenger/MessengerVoice.ts"
import type { Outcome } from "./Outcome.ts"
import * as Webhook from "./webhook/Webhook.ts"
import { WebhookSecrets } from "../webhook-secrets/Exports.ts"
import { type ChannelConfig, channelSettings } from "./Settings.ts"
import { callLine } from "./limits/ChannelLimits.ts"
import { ChannelThrottles } from "./limits/ChannelThrottles.ts"

/**
 * Maximum number of messages that are sent but not yet recorded. Reason: the bot API takes about 30 a second in total;
 * a killed process then leaves at most one in doubt.
 */
const messagesAtOnce = 1

const permanent = (reason: string) => Effect.succeed<Outcome>({ _tag: "Permanent", reason })

export const layer = (
  config: ChannelConfig
): Layer.Layer<
  Channels,
  never,
  ChannelThrottles | MessengerBot | CallChannel | Speech | OutboundHttp | WebhookSecrets | StoredSettings | Secrets
> =>
  Layer.effect(
    Channels,
    Effect.gen(function* () {
      const throttle = yield* ChannelThrottles
      const call = yield* CallChannel
      const secrets = yield* WebhookSecrets
      const context = yield* Effect.context<OutboundHttp | Speech>()
      const privateNetworks = Effect.map((yield* StoredSettings).get(channelSettings.webhookAllow), (networks) =>
        networks.map(parseCidr).filter((cidr) => cidr !== undefined)
      )
      const bot = yield* MessengerBot
      const linked = yield* withLink

      const webhook = (request: DeliveryRequest) => {
        const admitted = admittedFor(request.admit, request.target)
        const allowedNow = request.privateRanges ? privateNetworks : Effect.succeed([])
        return throttle.webhook
          .through(
            request.target,
            Effect.flatMap(Effect.all([secrets.of(request.tenantId), allowedNow]), ([secrets, allowed]) =>
              Webhook.deliver({
                url: request.target,
                idempotencyKey: request.idempotencyKey,
                attempt: request.attempt,
                tenantId: request.tenantId,
                secrets,
                // A redirect could reach other ports of the admitted address, so none is followed.
                ...(admitted === undefined
                  ? { allowCidrs: allowed }
                  : { allowCidrs: [...allowed, admitted], maxRedirects: 0 }),
                body: {
                  run_id: request.runId,
                  event_type: request.eventType,
                  severity: request.severity ?? "WARNING",
                  subject: request.subject,
                  title: request.title,
                  body: request.text,
                  from: request.sender,
                  timestamp: request.receivedAt
                }
              })
            )
          )
          .pipe(Effect.provideContext(context))
      }

      const messages = (request: DeliveryRequest) => {
        const api = bot.api()
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
            ? Effect.flatMap(linked(request, message.text, config.alarmLanguage), (text) =>
                Messenger.deliver({ ...message, text })
              )
            : MessengerVoice.deliver({
                ...message,
                // A request that names no caption has none; the caption of an alarm is its title.
                title: request.eventType === alarmReceived ? request.title : "",
                ...(caption === undefined ? {} : { caption }),
                ...(tts_provider === undefined ? {} : { provider: tts_provider }),
                ...(tts_voice === undefined ? {} : { voice: tts_voice })
              })
        // A possible repeat is not sent to an API that does not answer.
        const sending = request.possibleSecond
          ? Effect.flatMap(there, (away) => (away === undefined ? delivery : Effect.succeed(away)))
          : delivery
        return throttle.messenger
          .through(request.target, sending, request.possibleSecond ? undefined : there)
          .pipe(Effect.provideService(BotApi, api), Effect.provideContext(context))
      }

      const throughGateway = (request: DeliveryRequest, deliver: Deliver) =>
        throttle.call.through(lineOf(request), deliver(request))

      const lineOf = ({ options, tenantId }: DeliveryRequest) =>
        callLine(options.gateway ?? config.sipGateway ?? "", tenantId)

      const callTurn: TakeTurn = (request) =>
        Effect.gen(function* () {
          const may = yield* throttle.call.turn(lineOf(request))
          if (may._tag === "NotBefore") return putOff(may)
          const turn = yield* call.turn(request)
          return turn._tag === "PutOff"
            ? turn
            : ({ _tag: "Go", deliver: (request) => throughGateway(request, turn.deliver) } satisfies Turn)
        })

      /** Without a bot each message fails at once. */
      const chatTurn = (chat: string): Effect.Effect<Turn> =>
        Effect.suspend(() =>
          bot.api() === undefined
            ? Effect.succeed<Turn>({ _tag: "Go", deliver: messages })
            : Effect.map(throttle.messenger.turn(chat), (turn) =>
                turn._tag === "Now" ? { _tag: "Go", deliver: messages } : putOff(turn)
              )
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
          const slot = yield* throttle.webhook.slots.take(host, priority)
          if (slot._tag === "Taken") return { _tag: "Go", deliver: (request) => slot.dialling(webhook(request)) }
          const until = (yield* Clock.currentTimeMillis) + slot.retryAfter
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
        turns: { call: callTurn, messenger: messengerTurn, messenger_voice: messengerTurn },
        partyTurns: { webhook: webhookTurn, messenger: inTurn, messenger_voice: chatTurn },
        recoveries: { call: call.recover }
      })
    })
  )

const putOff = ({ at, away, reason }: Throttle.ThrottleTurn & { readonly _tag: "NotBefore" }): Turn => ({
  _tag: "PutOff",
  until: at,
  reason,
  away
})
