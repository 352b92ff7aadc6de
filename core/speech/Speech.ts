/**
 * Text into a playable file. Cached by content, by whichever provider can speak; only where nobody can is there an
 * error.
 *
 * The answered path is good for now, not for ever: an old file may be evicted. Ask again before each use; a hit costs
 * one stat.
 */
import { Context, Duration, Effect, Layer, Result } from "effect"
import { type ConfigInvalid, settings } from "../config/Environment.ts"
import { platformSettings } from "../config/PlatformSettings.ts"
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
  /** What is said of it: `spokenText`. */
  readonly text: string
  readonly provider: Provider
  /** An alias of SIGNALBOX_TTS_VOICES, or the provider's own name for a voice. Default: the provider's default. */
  readonly voice?: string
  readonly format: AudioFormat
}

export interface SpokenAudio {
  readonly path: string
  /** `<hash>.<format>`, for `SpeechUrls.url`. */
  readonly name: string
  readonly bytes: number
  readonly durationMs: number
  /** Who spoke; espeak-ng on this machine counts as local_fast. */
  readonly provider: Provider
  readonly engine: Engine
  /** The asked provider and why it did not speak, when another one did. */
  readonly fellBackFrom?: { readonly provider: Provider; readonly reason: string }
  readonly cached: boolean
}

/** For `/health`: `provider` is who would speak now. */
export interface SpeechStatus {
  readonly status: "ok" | "degraded" | "unconfigured"
  readonly provider?: Provider
  readonly detail?: string
}

/** How long `check` asks. Source: the interface document's health answers are waited for by people. */
export const checkTimeout = Duration.seconds(3)

/** What `check` has said: short, and never in the cache of ours. */
const checkText = "Test."

export class Speech extends Context.Service<
  Speech,
  {
    readonly synthesize: (request: SpeechRequest) => Effect.Effect<SpokenAudio, SpeechError>
    /** From what was seen; no request of its own. */
    readonly status: Effect.Effect<SpeechStatus>
    /** Asks the gateway now, `checkTimeout` at most, and remembers what it said. */
    readonly check: Effect.Effect<SpeechStatus>
    /**
     * Asks those providers again that failed and have not spoken since, each with the time that is its own; nobody when
     * all is well. One that speaks is used again at once, whatever rest it still had.
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

/** The service over a folder. `timeouts`: shorter ones for tests. */
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
  const gateway = config.ttsUrl === undefined ? undefined : SpeechGateway.make(config.ttsUrl, config.ttsToken)
  const synthesis = Synthesis.make({
    gateway,
    cache,
    aliases: config.ttsVoices,
    espeakVoice: config.ttsEspeakVoice,
    timeouts
  })

  const status = Effect.sync(() => statusOf(gateway !== undefined, synthesis.seen))
  const ask = Effect.fnUntraced(function* (
    gateway: SpeechGateway.SpeechGateway,
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
    // It has answered, though not with this provider; what it offers else is seen at work.
    const answered = error?.reason._tag === "Refused" && aboutRequest.has(error.reason.status)
    yield* synthesis.note(provider, answered ? undefined : error)
  })
  const check = Effect.gen(function* () {
    if (gateway === undefined) return yield* status
    yield* ask(gateway, "local_fast", checkTimeout)
    return yield* status
  })
  const recheck = Effect.gen(function* () {
    if (gateway === undefined) return yield* status
    for (const provider of providers) {
      // Looked up anew each time: where all of the gateway was away, the first that answers speaks for the others.
      if (synthesis.seen.get(provider)?.why !== undefined) yield* ask(gateway, provider, timeouts[provider])
    }
    return yield* status
  })

  const synthesize = Effect.fn("Speech.synthesize")(function* (
    request: SpeechRequest
  ): Effect.fn.Return<SpokenAudio, SpeechError> {
    const text = spokenText(request.text)
    if (text === "") return yield* speechError({ _tag: "EmptyText" })
    const { bytes, cached, durationMs, engine, failed, name, path } = yield* synthesis.synthesize({
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

/** A provider that failed and has not spoken since degrades; espeak-ng is a way through, not a fault. */
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
