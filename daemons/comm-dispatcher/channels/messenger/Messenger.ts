import { Duration, Effect } from "effect"
import { BotApi } from "#protocols/bot-api/BotApi.ts"
import type { BotApiError } from "#protocols/bot-api/BotApiError.ts"
import { maxMessageLength, splitText } from "#protocols/bot-api/SplitText.ts"
import type { Severity } from "../../vocabulary/Exports.ts"
import type { Outcome } from "../Outcome.ts"

export interface MessengerDelivery {
  readonly chatId: string
  readonly text: string
  /** Written before the text: `CRITICAL: …`. */
  readonly severity: Severity | undefined
  /** The first part may have arrived already: it is sent with `secondNotice`. */
  readonly possibleSecond: boolean
  /** Parts sent by an earlier attempt; sending continues after them. Default 0. */
  readonly partsSent?: number
  /** Runs after each part with the number sent so far, so that a crash repeats only one part. */
  readonly onPartSent?: (partsSent: number) => Effect.Effect<void>
}

export const secondNotice = "(This message may be a repeat: whether the first one arrived is not known.)"

/**
 * Maximum number of messages for one text. Reason: about 40,000 characters, and 10 s at one message a second per chat.
 */
export const maxParts = 10

const cutNotice = "… (cut)"

/** Splits a text into messages. The same for every attempt, because space for `secondNotice` is always reserved. */
export const messengerParts = (text: string, severity: Severity | undefined): ReadonlyArray<string> => {
  const limit = maxMessageLength - secondNotice.length - 1
  const whole = severity === undefined ? text : `${severity}: ${text.trim()}`
  const parts = splitText(whole, limit)
  if (parts.length <= maxParts) return parts
  const [last = ""] = splitText(parts[maxParts - 1] ?? "", limit - cutNotice.length)
  return [...parts.slice(0, maxParts - 1), last + cutNotice]
}

/** Sends the remaining parts one by one. Stops at the first failure and says how many were sent. */
export const deliver = Effect.fn("Messenger.deliver")(function* (delivery: MessengerDelivery) {
  const parts = messengerParts(delivery.text, delivery.severity)
  if (parts.length === 0) return { _tag: "Permanent", reason: "there is no text to send" } satisfies Outcome as Outcome
  const first = delivery.partsSent ?? 0
  let chatId = delivery.chatId
  const ids: Array<number> = []
  for (const [index, part] of parts.entries()) {
    if (index < first) continue
    const text = delivery.possibleSecond && index === first ? `${secondNotice}\n${part}` : part
    const sent = yield* send(chatId, text).pipe(
      Effect.map((sent) => ({ sent })),
      Effect.catch((error) => Effect.succeed({ error }))
    )
    if ("error" in sent) return failed(sent.error, index)
    chatId = sent.sent.chatId
    ids.push(sent.sent.messageId)
    if (delivery.onPartSent !== undefined) yield* delivery.onPartSent(index + 1)
  }
  const moved = chatId === delivery.chatId ? "" : `; the chat has moved to ${chatId}`
  return { _tag: "Delivered", detail: `message ${ids.join(", ")}${moved}` } satisfies Outcome as Outcome
})

const send = Effect.fnUntraced(function* (chatId: string, text: string) {
  const api = yield* BotApi
  return yield* following(chatId, (chatId) =>
    Effect.map(api.sendMessage({ chatId, text }), ({ message_id }) => ({ chatId, messageId: message_id }))
  )
})

/** Repeats the request under the new id of a group that became a supergroup; the refusal delivered nothing. */
export const following = <A>(
  chatId: string,
  to: (chatId: string) => Effect.Effect<A, BotApiError>
): Effect.Effect<A, BotApiError> =>
  Effect.catch(to(chatId), (error) =>
    error.reason._tag === "ChatMigrated" ? to(error.reason.chatId) : Effect.fail(error)
  )

/** Time limit of the availability check. Reason: the API answers within a second, and the target can wait. */
export const questionTimeout = Duration.seconds(4)

/**
 * Checks that the API answers, without sending a message: undefined when it answers. A message to a silent API would be
 * in doubt; this check prevents that.
 */
export const isThere = (api: Pick<BotApi["Service"], "getMe">): Effect.Effect<Outcome | undefined> =>
  api.getMe.pipe(
    Effect.timeoutOrElse({
      duration: questionTimeout,
      orElse: () => Effect.fail({ message: `no answer within ${Duration.toSeconds(questionTimeout)} s` })
    }),
    Effect.match({
      onSuccess: () => undefined,
      onFailure: (error): Outcome | undefined => {
        if ("reason" in error && !isSilence(error)) {
          const said = failed(error, 0)
          return "fault" in said && said.fault === "channel" ? said : undefined
        }
        return {
          _tag: "Retryable",
          reason: `not sent, since the messenger is away: ${error.message}`,
          reached: "no",
          fault: "channel"
        }
      }
    })
  )

const isSilence = ({ reason }: BotApiError): boolean => reason._tag === "TimedOut" || reason._tag === "ConnectionLost"

/** The outcome of a bot API error for one target, after `partsSent` parts were sent. */
export const failed = (error: BotApiError, partsSent: number): Outcome => {
  const progress = { partsSent }
  const { reached, reason } = error
  const fault = isChannelFault(error) ? ({ fault: "channel" } as const) : {}
  if (!error.retryable) return { _tag: "Permanent", reason: error.message, progress, ...fault }
  return {
    _tag: "Retryable",
    reason: error.message,
    reached,
    progress,
    ...("retryAfter" in reason ? { retryAfter: reason.retryAfter } : {}),
    ...fault
  }
}

/**
 * Whether the API is away or refuses this bot altogether, for every chat. Excluded when a message may have been sent:
 * that target is in doubt and handled as such.
 */
const isChannelFault = ({ reached, reason }: BotApiError): boolean => {
  switch (reason._tag) {
    case "Unauthorized":
    case "Unreachable":
      return true
    // A gateway without an API behind it. An API that fails at this message (500) was reached.
    case "ServerError":
      return reason.status >= 502 && reason.status <= 504
    // Something else answers in place of the API: a proxy, a captive portal.
    case "InvalidResponse":
      return reached === "yes"
    default:
      return false
  }
}
