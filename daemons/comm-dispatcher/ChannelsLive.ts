/**
 * Hands a delivery to the channel that serves it, with what the configuration says of that channel.
 */
import { Effect, Layer } from "effect"
import { OutboundHttp } from "#core/OutboundHttp.ts"
import { parseCidr } from "#core/AddressGuard.ts"
import { BotApi } from "#protocols/bot-api/BotApi.ts"
import { admittedFor } from "./Admission.ts"
import { Channels, type DeliveryRequest } from "./Channels.ts"
import * as Messenger from "./channels/Messenger.ts"
import type { Outcome } from "./channels/Outcome.ts"
import * as Webhook from "./channels/Webhook.ts"
import type { CommConfig } from "./Config.ts"

const permanent = (reason: string) => Effect.succeed<Outcome>({ _tag: "Permanent", reason })

export const layer = (config: CommConfig): Layer.Layer<Channels> =>
  Layer.effect(
    Channels,
    Effect.gen(function*() {
      const context = yield* Effect.context<OutboundHttp>()
      const allow = config.webhookAllow.map(parseCidr).filter((cidr) => cidr !== undefined)
      const bot = config.messengerToken === undefined ? undefined : Layer.build(BotApi.layer({
        token: config.messengerToken,
        ...(config.messengerUrl === undefined ? {} : { baseUrl: config.messengerUrl })
      }))
      const messenger = bot === undefined ? undefined : yield* bot

      const webhook = (request: DeliveryRequest) => {
        const admitted = admittedFor(request.admit, request.target)
        return Webhook.deliver({
          url: request.target,
          idempotencyKey: request.idempotencyKey,
          attempt: request.attempt,
          // A redirect from the admitted place would carry the exception to its other ports.
          ...(admitted === undefined ? { allowCidrs: allow } : { allowCidrs: [...allow, admitted], maxRedirects: 0 }),
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
        }).pipe(Effect.provideContext(context))
      }

      const message = (request: DeliveryRequest) =>
        messenger === undefined
          ? permanent("unconfigured: set SIGNALBOX_MESSENGER_TOKEN")
          : Messenger.deliver({
            chatId: request.target,
            text: request.text,
            severity: request.severity ?? undefined,
            possibleSecond: request.possibleSecond,
            partsSent: request.partsSent,
            onPartSent: request.onPartSent
          }).pipe(Effect.provideContext(messenger))

      return Channels.of({
        turns: {},
        recoveries: {},
        deliver: (request) => {
          switch (request.channel) {
            case "webhook":
              return webhook(request)
            case "messenger":
              return message(request)
            case "call":
            case "messenger_voice":
            case "sms":
              return permanent("unsupported")
          }
        }
      })
    })
  ).pipe(Layer.provide(OutboundHttp.layer))
