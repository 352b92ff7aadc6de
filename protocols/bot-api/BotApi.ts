/**
 * Client of the Telegram-compatible bot API: `POST {base}/bot{token}/{method}` with JSON, or with a form for a file.
 * Sends plain text only (no parse_mode), so markup characters in an alarm cannot break a message. It does not queue or
 * retry; callers decide that.
 *
 * The token is part of the URL. Therefore errors, spans and logs contain no URL and no error text of `fetch`. The
 * operator sets the base address, so it is not checked against private ranges. Redirects are refused because they would
 * send the token to another server.
 *
 * The library grammy 1.46.0 has 10,600 lines for the whole API; this folder has 510 for three methods. Errors of grammy
 * do not tell whether the request may have reached the server.
 */
import { Context, Duration, Effect, Layer, Redacted, Result, type Schema } from "effect"
import type { FormData } from "undici"
import { decodeAnswer, Message, User } from "./Answer.ts"
import { BotApiError, type BotApiReason } from "./BotApiError.ts"
import { exchange, exchangeReason, latePool, type Payload } from "./Exchange.ts"
import { defaultVoiceName, type OutgoingVoice, voiceProblem } from "./Voice.ts"

export interface BotApiOptions {
  /** Default `defaultBaseUrl`. */
  readonly baseUrl?: string
  readonly token: Redacted.Redacted
  /** Limit for one call including its answer. Default `defaultTimeout`. */
  readonly timeout?: Duration.Duration
  /** Limit for one call with a file. Default `defaultUploadTimeout`. */
  readonly uploadTimeout?: Duration.Duration
  /** Limit for opening a connection. Unit: milliseconds. Default `connectTimeout`. */
  readonly connectTimeout?: number
}

export const defaultBaseUrl = "https://api.telegram.org"

/** Limit for one call. Reason: the API answers within a second, and a longer wait delays the next chat. */
export const defaultTimeout = Duration.seconds(10)

/**
 * Limit for a call with a file. Reason: uploads five minutes of Opus (1 MiB) over 300 kbit/s. For slower uploads a text
 * message arrives sooner.
 */
export const defaultUploadTimeout = Duration.seconds(30)

export interface OutgoingMessage {
  /** Integer, or `@channel`. */
  readonly chatId: string
  /** 1 to 4,096 UTF-16 units; `splitText` splits longer texts. */
  readonly text: string
}

export class BotApi extends Context.Service<
  BotApi,
  {
    /** The bot that owns the token. Checks the token without sending a message. */
    readonly getMe: Effect.Effect<User, BotApiError>
    readonly sendMessage: (message: OutgoingMessage) => Effect.Effect<Message, BotApiError>
    /**
     * Uploads and sends a voice message. Fails with `Unsendable`, without a request, when the API would not show it as
     * one.
     */
    readonly sendVoice: (message: OutgoingVoice) => Effect.Effect<Message, BotApiError>
  }
>()("signalbox/protocols/BotApi") {
  static readonly layer = (options: BotApiOptions): Layer.Layer<BotApi> => Layer.sync(BotApi, () => make(options))
}

export const make = (options: BotApiOptions): BotApi["Service"] => {
  const timeout = options.timeout ?? defaultTimeout
  const uploadTimeout = options.uploadTimeout ?? defaultUploadTimeout
  const base = (options.baseUrl ?? defaultBaseUrl).replace(/\/+$/, "")
  const pool = latePool(options.connectTimeout)
  const failing = (method: string) => (reason: BotApiReason) => new BotApiError({ method, reason })

  const call = <A>(
    method: string,
    result: Schema.Codec<A, unknown>,
    payload: Payload,
    timeout: Duration.Duration
  ): Effect.Effect<A, BotApiError> => {
    const fail = failing(method)
    return Effect.tryPromise({
      try: async (signal) =>
        exchange(await pool(), `${base}/bot${Redacted.value(options.token)}/${method}`, payload, signal),
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

/** Fills the form of a voice message. */
const voiceForm =
  ({ caption = "", chatId, durationMs, name = defaultVoiceName, voice }: OutgoingVoice) =>
  (form: FormData): void => {
    form.set("chat_id", chatId)
    if (caption !== "") form.set("caption", caption)
    if (durationMs !== undefined) form.set("duration", String(Math.max(1, Math.round(durationMs / 1_000))))
    form.set("voice", new File([Uint8Array.from(voice)], name, { type: "audio/ogg" }))
  }
