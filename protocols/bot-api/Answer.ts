/**
 * Decodes the envelope of every answer: `{ok, result}` or `{ok, error_code, description, parameters}`. Pure; opens no
 * socket.
 */
import { Result, Schema } from "effect"
import type { BotApiReason } from "./BotApiError.ts"

export const User = Schema.Struct({
  id: Schema.Int,
  is_bot: Schema.Boolean,
  first_name: Schema.String,
  username: Schema.optionalKey(Schema.String)
})
export type User = typeof User.Type

/** A sent message. `date`: Unix seconds. `voice`: present when the chat shows the message as a voice message. */
export const Message = Schema.Struct({
  message_id: Schema.Int,
  date: Schema.Int,
  chat: Schema.Struct({ id: Schema.Int }),
  voice: Schema.optionalKey(Schema.Struct({ duration: Schema.Finite }))
})
export type Message = typeof Message.Type

const Failure = Schema.Struct({
  ok: Schema.Literal(false),
  error_code: Schema.Int,
  description: Schema.optionalKey(Schema.String),
  parameters: Schema.optionalKey(
    Schema.Struct({
      retry_after: Schema.optionalKey(Schema.Finite),
      migrate_to_chat_id: Schema.optionalKey(Schema.Int)
    })
  )
})
const decodeFailure = Schema.decodeUnknownResult(Failure)

/**
 * Longest description that is kept. Unit: UTF-16 units. Reason: the API writes one sentence; a proxy may write a page.
 */
const maxDescription = 200

/**
 * Wait after a 429 without `retry_after`. Unit: milliseconds. Reason: the API allows one message per second and chat.
 */
const defaultRetryAfter = 1_000

/** The `result` of an answer with this HTTP status and body, or the reason why there is none. */
export const decodeAnswer = <A>(
  result: Schema.Codec<A, unknown>,
  status: number,
  body: string
): Result.Result<A, BotApiReason> => {
  const json = parsed(body)
  const failure = decodeFailure(json)
  if (Result.isSuccess(failure)) return Result.fail(failureReason(failure.success))
  if (status >= 500) return Result.fail({ _tag: "ServerError", status })
  if (status === 413) return Result.fail({ _tag: "TooLarge" })
  if (status === 429) return Result.fail({ _tag: "TooManyRequests", retryAfter: defaultRetryAfter })
  const success = Schema.decodeUnknownResult(Schema.Struct({ ok: Schema.Literal(true), result }))(json)
  if (status !== 200 || Result.isFailure(success))
    return Result.fail({ _tag: "InvalidResponse", status, why: "not an answer of the bot API" })
  return Result.succeed(success.success.result)
}

const failureReason = ({
  description = "no description",
  error_code: status,
  parameters
}: typeof Failure.Type): BotApiReason => {
  const shown = description.slice(0, maxDescription).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "�")
  if (parameters?.migrate_to_chat_id !== undefined)
    return { _tag: "ChatMigrated", chatId: String(parameters.migrate_to_chat_id) }
  if (status === 429)
    return {
      _tag: "TooManyRequests",
      retryAfter: Math.max(0, (parameters?.retry_after ?? 0) * 1_000) || defaultRetryAfter
    }
  // The API answers 404 to a token that does not even have the form of a token.
  if (status === 401 || status === 404) return { _tag: "Unauthorized" }
  if (status === 413) return { _tag: "TooLarge" }
  if (voiceForbidden.test(description)) return { _tag: "VoiceForbidden", description: shown }
  if (status === 403) return { _tag: "Forbidden", description: shown }
  return status >= 500 ? { _tag: "ServerError", status } : { _tag: "BadRequest", status, description: shown }
}

/**
 * Descriptions of a chat that refuses voice messages. The error name is from the API's backend. Newer servers turn it
 * into a sentence ("voice note messages", "voice messages"). The third text is for groups without the right to send
 * voice messages.
 */
const voiceForbidden = /VOICE_MESSAGES_FORBIDDEN|restricted receiving of voice|not enough rights to send voice/i

const parsed = (body: string): unknown => {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
