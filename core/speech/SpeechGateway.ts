/**
 * Client of a speech gateway: `POST {tts_url}/synthesize` with JSON `{text, provider, voice?, format}`; the response
 * body is the audio. The operator configures the gateway, so private addresses are allowed. Responses are checked for
 * content type, size and time. Redirects are not followed, because they would forward the token and the text.
 * Stateless.
 */
import { Duration, Effect, Redacted } from "effect"
import { type AudioFormat, maxAudioBytes, type Provider } from "./Audio.ts"
import { type SpeechError, speechError, type SpeechReason } from "./SpeechError.ts"

export interface SpeechGateway {
  /** Requests the audio; the response's content type must match the format. `timeout`: limit for the whole request. */
  readonly synthesize: (request: GatewayRequest, timeout: Duration.Duration) => Effect.Effect<Buffer, SpeechError>
}

export interface GatewayRequest {
  readonly text: string
  readonly provider: Provider
  readonly voice: string | undefined
  readonly format: AudioFormat
}

/**
 * Time limit per provider. Source: four times the interface document's 100 ms, 2-5 s and 1-3 s, plus time for a long
 * text.
 */
export const providerTimeouts: Readonly<Record<Provider, Duration.Duration>> = {
  local_fast: Duration.seconds(5),
  local_gpu: Duration.seconds(20),
  cloud: Duration.seconds(12)
}

const acceptedTypes: Readonly<Record<AudioFormat, ReadonlyArray<string>>> = {
  wav: ["audio/wav", "audio/wave", "audio/x-wav", "audio/vnd.wave"],
  ogg: ["audio/ogg", "application/ogg", "audio/opus"],
  mp3: ["audio/mpeg", "audio/mp3"]
}

export const make = (url: string, token: Redacted.Redacted | undefined): SpeechGateway => ({
  synthesize: (request, timeout) =>
    Effect.tryPromise({ try: (signal) => exchange(url, token, request, signal), catch: reasonOf }).pipe(
      Effect.mapError(speechError),
      // The gateway may just have closed the reused connection. A retry is safe, because the same text gives the same
      // audio.
      Effect.retry({ times: 1, while: (error) => error.reason._tag === "ConnectionLost" }),
      Effect.timeoutOrElse({
        duration: timeout,
        orElse: () =>
          Effect.fail(
            speechError({ _tag: "TimedOut", what: request.provider, milliseconds: Duration.toMillis(timeout) })
          )
      }),
      Effect.withSpan("Speech.gateway", {
        kind: "client",
        attributes: { "speech.provider": request.provider, "speech.format": request.format }
      })
    )
})

/** Error thrown by `exchange` itself; all other errors come from `fetch`. */
class Refusal {
  readonly reason: SpeechReason
  constructor(reason: SpeechReason) {
    this.reason = reason
  }
}

const bad = (why: string) => new Refusal({ _tag: "BadAnswer", why })

const exchange = async (
  url: string,
  token: Redacted.Redacted | undefined,
  request: GatewayRequest,
  signal: AbortSignal
): Promise<Buffer> => {
  const { format, provider, text, voice } = request
  const response = await fetch(`${url}/synthesize`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: acceptedTypes[format].join(", "),
      ...(token === undefined ? {} : { authorization: `Bearer ${Redacted.value(token)}` })
    },
    body: JSON.stringify({ text, provider, ...(voice === undefined ? {} : { voice }), format }),
    redirect: "manual",
    signal
  })
  try {
    if (response.status >= 300 && response.status < 400)
      throw bad(`a redirect (${response.status}), which is not followed`)
    if (response.status !== 200) throw new Refusal({ _tag: "Refused", status: response.status })
    const type = (response.headers.get("content-type") ?? "").split(";", 1)[0]!.trim().toLowerCase()
    if (!acceptedTypes[format].includes(type))
      throw bad(`content type ${type === "" ? "missing" : type.slice(0, 60)} instead of ${acceptedTypes[format][0]}`)
    if (Number(response.headers.get("content-length")) > maxAudioBytes) throw bad(`more than ${maxAudioBytes} bytes`)
    const chunks: Array<Uint8Array> = []
    let size = 0
    for await (const chunk of response.body ?? []) {
      size += chunk.length
      if (size > maxAudioBytes) throw bad(`more than ${maxAudioBytes} bytes`)
      chunks.push(chunk)
    }
    return Buffer.concat(chunks)
  } catch (error) {
    // An unread body would keep the socket open.
    await response.body?.cancel().catch(() => {})
    throw error
  }
}

/** Maps an error of `fetch` to a reason; keeps only the code of its cause. */
const reasonOf = (error: unknown): SpeechReason => {
  if (error instanceof Refusal) return error.reason
  const cause = error instanceof Error ? error.cause : undefined
  if (cause instanceof Error && cause.name === "HTTPParserError") return { _tag: "BadAnswer", why: "no HTTP" }
  const code =
    typeof cause === "object" && cause !== null && "code" in cause && typeof cause.code === "string"
      ? cause.code
      : "unknown"
  return lost.test(code) ? { _tag: "ConnectionLost", code } : { _tag: "Unreachable", code }
}

/** Error codes of an established connection; all others occur while connecting. */
const lost = /^(?:ECONNRESET|EPIPE|UND_ERR_(?:SOCKET|RES_CONTENT_LENGTH_MISMATCH|BODY_TIMEOUT|HEADERS_TIMEOUT))$/
