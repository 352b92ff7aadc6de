/**
 * Client of a speech gateway: `POST {tts_url}/synthesize` with JSON `{text, provider, voice?, format}`, answered by the
 * audio itself. The gateway is the operator's own, so its address is not checked against private ranges; what it
 * answers is: kind, size, time. Redirects would carry token and text away: not followed. Keeps no state.
 */
import { Duration, Effect, Redacted } from "effect"
import { type AudioFormat, maxAudioBytes, type Provider } from "./Audio.ts"
import { type SpeechError, speechError, type SpeechReason } from "./SpeechError.ts"

export interface SpeechGateway {
  /** The audio as the gateway gave it, of the asked kind by its content type. `timeout`: for all of it. */
  readonly synthesize: (request: GatewayRequest, timeout: Duration.Duration) => Effect.Effect<Buffer, SpeechError>
}

export interface GatewayRequest {
  readonly text: string
  readonly provider: Provider
  readonly voice: string | undefined
  readonly format: AudioFormat
}

/**
 * How long each provider may take. Source: 100 ms, 2-5 s and 1-3 s by the interface document, four times over, and a
 * long text.
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
      // A kept connection that the gateway had just closed; the same words make the same audio.
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

/** What `exchange` throws by itself; everything else comes from `fetch`. */
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
    // What is not read would hold the socket.
    await response.body?.cancel().catch(() => {})
    throw error
  }
}

/** Of what `fetch` throws only the kind of its cause is kept. */
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

/** Codes of a connection that stood; the rest come before one does. */
const lost =
  /^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET|UND_ERR_RES_CONTENT_LENGTH_MISMATCH|UND_ERR_BODY_TIMEOUT|UND_ERR_HEADERS_TIMEOUT)$/
