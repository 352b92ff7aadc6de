/**
 * Synthesises text into an audio file. Results are cached by content. Substitute providers are tried in order; the call
 * fails only when none can speak.
 *
 * The returned path is valid only for a short time, because old files may be evicted. Call it again before each use; a
 * cache hit costs one stat.
 */
import { Context, Duration, Effect, Layer, Result } from "effect"
import { type ConfigInvalid, settings } from "../config/Environment.ts"
import { platformSettings } from "../config/PlatformSettings.ts"
import { rebuilt } from "../settings/LiveSettings.ts"
import { type AudioFormat, type Engine, type Provider, providers } from "./Audio.ts"
import { judgeAudio } from "./AudioFile.ts"
import { hasProgram } from "./BoundedProgram.ts"
import { aboutRequest, chainOf, providerOf } from "./ProviderChain.ts"
import * as SpeechCache from "./SpeechCache.ts"
import { type SpeechError, speechError } from "./SpeechError.ts"
import * as SpeechGateway from "./SpeechGateway.ts"
import { type SpeechConfig, speechDirectory } from "./SpeechSettings.ts"
import { spokenText } from "./SpokenText.ts"
import * as Synthesis from "./Synthesis.ts"

export type { AudioFormat, Provider } from "./Audio.ts"
export { SpeechError } from "./SpeechError.ts"

export interface SpeechRequest {
  /** Text to speak; `spokenText` cleans it first. */
  readonly text: string
  readonly provider: Provider
  /** An alias of SIGNALBOX_TTS_VOICES, or the provider's own voice name. Default: the provider's default voice. */
  readonly voice?: string
  readonly format: AudioFormat
}

export interface SpokenAudio {
  readonly path: string
  /** File name `<hash>.<format>`, for `SpeechUrls.url`. */
  readonly name: string
  readonly bytes: number
  readonly durationMs: number
  /** Provider that spoke; the local espeak-ng counts as local_fast. */
  readonly provider: Provider
  readonly engine: Engine
  /** The requested provider and why it failed, when a substitute spoke. */
  readonly fellBackFrom?: { readonly provider: Provider; readonly reason: string }
  readonly cached: boolean
}

/** Status for `/health`. `provider`: the one that would speak now. */
export interface SpeechStatus {
  readonly status: "ok" | "degraded" | "unconfigured"
  readonly provider?: Provider
  readonly detail?: string
}

/** How long `check` may take. Source: the interface document's health checks are requested by people who wait. */
export const checkTimeout = Duration.seconds(3)

/** Text that `check` synthesises: short, and never cached. */
const checkText = "Test."

export class Speech extends Context.Service<
  Speech,
  {
    readonly synthesize: (request: SpeechRequest) => Effect.Effect<SpokenAudio, SpeechError>
    /** Status from previous requests; sends none. */
    readonly status: Effect.Effect<SpeechStatus>
    /** Sends one request to the gateway, for at most `checkTimeout`, and records the result. */
    readonly check: Effect.Effect<SpeechStatus>
    /**
     * Asks the providers that failed and have not spoken since, each with its own time limit. Sends nothing when there
     * are none. A provider that answers is used again at once, even if it was still being skipped.
     */
    readonly recheck: Effect.Effect<SpeechStatus>
  }
>()("signalbox/core/Speech") {
  static readonly layer = (config: SpeechConfig): Layer.Layer<Speech, ConfigInvalid> =>
    Layer.effect(
      Speech,
      Effect.gen(function* () {
        const { dataDir } = yield* settings({ dataDir: platformSettings.dataDir })
        return yield* make(config, speechDirectory(config, dataDir))
      })
    )
}

/** Creates the service over a cache folder. `config` has present values. `timeouts`: tests pass shorter ones. */
export const make = Effect.fnUntraced(function* (
  config: SpeechConfig,
  directory: string,
  timeouts: Readonly<Record<Provider, Duration.Duration>> = SpeechGateway.providerTimeouts
) {
  const cache = yield* SpeechCache.make({
    directory,
    maxBytes: config.speechCacheBytes,
    shared: config.speechDir !== undefined
  })
  // A synthesis knows what its gateway answered, so another gateway gets another one.
  const present = rebuilt(
    () => [config.ttsUrl, config.ttsToken, config.ttsVoices, config.ttsEspeakVoice, config.ttsStandIns],
    (url, token, aliases, espeakVoice, standIns) => {
      const gateway = url === undefined ? undefined : SpeechGateway.make(url, token)
      return { gateway, synthesis: Synthesis.make({ gateway, cache, aliases, espeakVoice, standIns, timeouts }) }
    }
  )

  const status = Effect.sync(() => statusOf(present().gateway !== undefined, present().synthesis.seen))
  const ask = Effect.fnUntraced(function* (
    gateway: SpeechGateway.SpeechGateway,
    synthesis: Synthesis.Synthesis,
    provider: Provider,
    timeout: Duration.Duration
  ) {
    const asked = gateway
      .synthesize({ text: checkText, provider, voice: undefined, format: "wav" }, timeout)
      .pipe(
        Effect.flatMap((bytes) =>
          Effect.fromResult(Result.mapError(judgeAudio("wav", bytes), (why) => speechError({ _tag: "BadAnswer", why })))
        )
      )
    const error = yield* Effect.match(asked, { onFailure: (failure) => failure, onSuccess: () => undefined })
    // The gateway answered, only not with this provider; its other providers are judged when they are used.
    const answered = error?.reason._tag === "Refused" && aboutRequest.has(error.reason.status)
    yield* synthesis.note(provider, answered ? undefined : error)
  })
  const check = Effect.gen(function* () {
    const { gateway, synthesis } = present()
    if (gateway === undefined) return yield* status
    yield* ask(gateway, synthesis, "local_fast", checkTimeout)
    return yield* status
  })
  const recheck = Effect.gen(function* () {
    const { gateway, synthesis } = present()
    if (gateway === undefined) return yield* status
    for (const provider of providers) {
      // Read in each iteration: after a failure of the whole gateway, the first provider that answers clears the
      // failure of the others.
      if (synthesis.seen.get(provider)?.why !== undefined) yield* ask(gateway, synthesis, provider, timeouts[provider])
    }
    return yield* status
  })

  const synthesize = Effect.fn("Speech.synthesize")(function* (
    request: SpeechRequest
  ): Effect.fn.Return<SpokenAudio, SpeechError> {
    const text = spokenText(request.text)
    if (text === "") return yield* speechError({ _tag: "EmptyText" })
    const { bytes, cached, durationMs, engine, failed, name, path } = yield* present().synthesis.synthesize({
      ...request,
      voice: request.voice,
      text
    })
    const provider = providerOf(engine)
    const audio = { path, name, bytes, durationMs, provider, engine, cached }
    const reason =
      failed[0]?.why ?? (provider === request.provider ? undefined : speechError({ _tag: "NotConfigured" }).message)
    return reason === undefined ? audio : { ...audio, fellBackFrom: { provider: request.provider, reason } }
  })

  return Speech.of({ synthesize, status, check, recheck })
})

/**
 * Degraded while a provider has failed and not spoken since. Using espeak-ng without a gateway is not a
 * fault.
 */
const statusOf = (gateway: boolean, seen: ReadonlyMap<Engine, Synthesis.Seen>): SpeechStatus => {
  const espeak = seen.get("espeak-ng")
  if (!gateway) {
    if (espeak?.why !== undefined) return { status: "degraded", provider: "local_fast", detail: espeak.why }
    return hasProgram("espeak-ng")
      ? { status: "ok", provider: "local_fast", detail: "espeak-ng" }
      : { status: "unconfigured" }
  }
  const failing = providers.flatMap((provider) => {
    const why = seen.get(provider)?.why
    return why === undefined ? [] : [{ provider, why }]
  })
  const well = chainOf("local_gpu", true).find((engine) => seen.get(engine)?.why === undefined) ?? "espeak-ng"
  if (failing.length === 0) return { status: "ok", provider: providerOf(well) }
  return {
    status: "degraded",
    provider: providerOf(well),
    detail: failing.map(({ provider, why }) => `${provider}: ${why}`).join("; ")
  }
}
