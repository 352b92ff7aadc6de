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
  /** The first part sent now may already have arrived: it is sent under `secondNotice`. */
  readonly possibleSecond: boolean
  /** Parts that an earlier attempt got through; sending goes on behind them. Default 0. */
  readonly partsSent?: number
  /** Run after each part with the number sent so far, so that a crash repeats one part and not all. */
  readonly onPartSent?: (partsSent: number) => Effect.Effect<void>
}

export const secondNotice = "(This message may be a repeat: whether the first one arrived is not known.)"

/** Unit: messages. Reason: about 40,000 characters, and 10 s at the one message a second that a chat takes. */
export const maxParts = 10

const cutNotice = "… (cut)"

/** The messages of a text. The same for every attempt: room for `secondNotice` is always kept. */
export const messengerParts = (text: string, severity: Severity | undefined): ReadonlyArray<string> => {
  const limit = maxMessageLength - secondNotice.length - 1
  const whole = severity === undefined ? text : `${severity}: ${text.trim()}`
  const parts = splitText(whole, limit)
  if (parts.length <= maxParts) return parts
  const [last = ""] = splitText(parts[maxParts - 1] ?? "", limit - cutNotice.length)
  return [...parts.slice(0, maxParts - 1), last + cutNotice]
}

/** Sends what is left of the message, part by part; stops at the first part that fails and says how many went out. */
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

/** A group that became a supergroup is written to under its new id at once: the refusal delivered nothing. */
export const following = <A>(
  chatId: string,
  to: (chatId: string) => Effect.Effect<A, BotApiError>
): Effect.Effect<A, BotApiError> =>
  Effect.catch(to(chatId), (error) =>
    error.reason._tag === "ChatMigrated" ? to(error.reason.chatId) : Effect.fail(error)
  )

/** How long the API is asked whether it is there. Reason: it answers within a second, and the target can wait for the next time. */
export const questionTimeout = Duration.seconds(4)

/**
 * Asks whether the API answers, without sending anything: undefined when it does, whatever it says of a message then. One
 * that takes a message and says nothing leaves it in doubt; one that is mute already here has been given none.
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

/** What an error of the bot API is to one target, of whose message `partsSent` parts have gone out. */
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
 * Whether the API is away, or refuses us altogether, so that no chat could be written to. Not where a message may have
 * gone out: that is this target's doubt, and has to be dealt with as one.
 */
const isChannelFault = ({ reached, reason }: BotApiError): boolean => {
  switch (reason._tag) {
    case "Unauthorized":
    case "Unreachable":
      return true
    // A gateway that finds no API behind it. An API that fails at this message (500) has been reached.
    case "ServerError":
      return reason.status >= 502 && reason.status <= 504
    // Something else answers in the API's place: a proxy, a captive portal.
    case "InvalidResponse":
      return reached === "yes"
    default:
      return false
  }
}
