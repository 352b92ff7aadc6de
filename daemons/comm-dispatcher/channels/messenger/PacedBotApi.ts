/**
 * The bot API behind a throttle: every message, and every part of a long one, waits for its chat's turn. A turn too far
 * off fails as `HeldBack`; the outcome contains the parts sent so far. The pause of a 429 blocks the chat, so that its
 * other messages are not refused, too.
 */
import { Effect } from "effect"
import type { BotApi } from "#protocols/bot-api/BotApi.ts"
import { BotApiError } from "#protocols/bot-api/BotApiError.ts"
import type { Throttle } from "../limits/Throttle.ts"

export const paced = (api: BotApi["Service"], throttle: Pick<Throttle, "hold" | "pace">): BotApi["Service"] => {
  const inTurn = <A>(
    method: string,
    chatId: string,
    call: Effect.Effect<A, BotApiError>
  ): Effect.Effect<A, BotApiError> =>
    Effect.flatMap(throttle.pace(chatId), (turn) =>
      turn._tag === "Later"
        ? Effect.fail(new BotApiError({ method, reason: { _tag: "HeldBack", retryAfter: turn.retryAfter } }))
        : Effect.tapError(call, ({ reason }) =>
            reason._tag === "TooManyRequests" ? throttle.hold(chatId, reason.retryAfter) : Effect.void
          )
    )
  return {
    getMe: api.getMe,
    sendMessage: (message) => inTurn("sendMessage", message.chatId, api.sendMessage(message)),
    sendVoice: (message) => inTurn("sendVoice", message.chatId, api.sendVoice(message))
  }
}
