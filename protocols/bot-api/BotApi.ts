/**
 * A client of the Telegram-compatible bot API: `POST {base}/bot{token}/{method}` with JSON, or a form with the file.
 * Plain text only (no parse_mode): nothing in an alarm can break a message. It neither queues nor repeats; who calls it
 * decides that.
 *
 * The token is part of the URL, so no error, span or log here carries a URL, nor what `fetch` says about one. The base
 * address is the operator's: it is not checked against private ranges. Redirects would carry the token away: refused.
 */
import { Context, Duration, Effect, Layer, Redacted, Result, type Schema } from "effect"
import { FormData } from "undici"
import { decodeAnswer, Message, User } from "./Answer.ts"
import { BotApiError, type BotApiReason } from "./BotApiError.ts"
import { exchange, exchangeReason, makeAgent, type Payload } from "./Exchange.ts"
import { defaultVoiceName, type OutgoingVoice, voiceProblem } from "./Voice.ts"

export interface BotApiOptions {
  /** Default `defaultBaseUrl`. */
  readonly baseUrl?: string
  readonly token: Redacted.Redacted
  /** For one call, the answer included. Default `defaultTimeout`. */
  readonly timeout?: Duration.Duration
  /** The same for calls with a file. Default `defaultUploadTimeout`. */
  readonly uploadTimeout?: Duration.Duration
  /** Unit: milliseconds until a connection must stand. Default `connectTimeout`. */
  readonly connectTimeout?: number
}

export const defaultBaseUrl = "https://api.telegram.org"

/** Reason: the API answers within a second; a longer wait delays the next chat. */
export const defaultTimeout = Duration.seconds(10)

/** Reason: five minutes of Opus (1 MiB) over 300 kbit/s; what takes longer comes sooner as text. */
export const defaultUploadTimeout = Duration.seconds(30)

export interface OutgoingMessage {
  /** Integer, or `@channel`. */
  readonly chatId: string
  /** 1 to 4,096 units: see `splitText`. */
  readonly text: string
}

export class BotApi extends Context.Service<
  BotApi,
  {
    /** Who the token belongs to: the check that sends nothing. */
    readonly getMe: Effect.Effect<User, BotApiError>
    readonly sendMessage: (message: OutgoingMessage) => Effect.Effect<Message, BotApiError>
    /** Uploads and sends; `Unsendable` without a request where it could not arrive as a voice message. */
    readonly sendVoice: (message: OutgoingVoice) => Effect.Effect<Message, BotApiError>
  }
>()("signalbox/protocols/BotApi") {
  static readonly layer = (options: BotApiOptions): Layer.Layer<BotApi> => Layer.sync(BotApi, () => make(options))
}

export const make = (options: BotApiOptions): BotApi["Service"] => {
  const timeout = options.timeout ?? defaultTimeout
  const uploadTimeout = options.uploadTimeout ?? defaultUploadTimeout
  const base = (options.baseUrl ?? defaultBaseUrl).replace(/\/+$/, "")
  const agent = makeAgent(options.connectTimeout)
  const failing = (method: string) => (reason: BotApiReason) => new BotApiError({ method, reason })

  const call = <A>(
    method: string,
    result: Schema.Codec<A, unknown>,
    payload: Payload,
    timeout: Duration.Duration
  ): Effect.Effect<A, BotApiError> => {
    const fail = failing(method)
    return Effect.tryPromise({
      try: (signal) => exchange(agent, `${base}/bot${Redacted.value(options.token)}/${method}`, payload, signal),
      catch: (error) => fail(exchangeReason(error))
    }).pipe(
      Effect.timeoutOrElse({
        duration: timeout,
        orElse: () => Effect.fail(fail({ _tag: "TimedOut", milliseconds: Duration.toMillis(timeout) }))
      }),
      Effect.flatMap(({ body, status }) =>
        Effect.fromResult(Result.mapError(decodeAnswer(result, status, body), fail))
      ),
      Effect.withSpan("BotApi.call", { kind: "client", attributes: { "bot_api.method": method } })
    )
  }

  return {
    getMe: call("getMe", User, "{}", timeout),
    sendMessage: ({ chatId, text }) => call("sendMessage", Message, JSON.stringify({ chat_id: chatId, text }), timeout),
    sendVoice: (message) =>
      Effect.suspend(() => {
        const why = voiceProblem(message)
        return why === undefined
          ? call("sendVoice", Message, voiceForm(message), uploadTimeout)
          : Effect.fail(failing("sendVoice")({ _tag: "Unsendable", why }))
      })
  }
}

const voiceForm = ({ caption = "", chatId, durationMs, name = defaultVoiceName, voice }: OutgoingVoice): FormData => {
  const form = new FormData()
  form.set("chat_id", chatId)
  if (caption !== "") form.set("caption", caption)
  if (durationMs !== undefined) form.set("duration", String(Math.max(1, Math.round(durationMs / 1_000))))
  form.set("voice", new File([Uint8Array.from(voice)], name, { type: "audio/ogg" }))
  return form
}
