/**
 * Synthesises a text: tries the requested provider, then the substitutes, then the local espeak-ng. Each engine's audio
 * is cached under its own hash, so a substitute's audio is not served once the requested provider works again.
 */
import { Clock, Duration, Effect, Semaphore } from "effect"
import { type AudioFormat, type Engine, type Provider, providers } from "./Audio.ts"
import { type Audio, finish } from "./Conversion.ts"
import { espeak, espeakVoice } from "./EspeakNg.ts"
import { chainOf, restAfter } from "./ProviderChain.ts"
import { type CachedAudio, nameOf, type SpeechCache } from "./SpeechCache.ts"
import { type SpeechError, speechError } from "./SpeechError.ts"
import { providerTimeouts, type SpeechGateway } from "./SpeechGateway.ts"
import { resolve, type VoiceAliases } from "./VoiceAliases.ts"

/**
 * Total time for all gateway providers. Reason: a call waits for the audio, and a plain voice now is better than a good
 * voice later.
 */
export const gatewayBudget = Duration.seconds(25)

/** A provider is not asked when less time than this remains. */
const leastTime = Duration.seconds(2)

/** Maximum number of concurrent gateway requests. Reason: a GPU serves them one by one, and each may hold 24 MB. */
export const gatewayPlaces = 4

/**
 * How long a request waits for a free gateway slot. Reason: half of one provider's time limit; espeak-ng needs no slot.
 */
export const placeWait = Duration.seconds(10)

/**
 * Maximum number of concurrent programs. Reason: leaves processor time to the alarms themselves during a storm of
 * alarms.
 */
const programPlaces = 2

export interface SynthesisOptions {
  readonly gateway: SpeechGateway | undefined
  readonly cache: SpeechCache
  readonly aliases: VoiceAliases
  readonly espeakVoice: string
  /** Substitutes of a provider that fails, in order. Default: the local ones. */
  readonly standIns?: ReadonlyArray<Provider>
  /** Tests pass shorter time limits. */
  readonly timeouts?: Readonly<Record<Provider, Duration.Duration>>
}

export interface Synthesized extends CachedAudio {
  readonly engine: Engine
  readonly cached: boolean
  /** Engines that failed before, and why, in order. */
  readonly failed: ReadonlyArray<{ readonly engine: Engine; readonly why: string }>
}

/** Result of the last request to a provider; `why` is undefined after a success. */
export interface Seen {
  readonly why: string | undefined
  /** The provider is skipped until then. Unit: epoch milliseconds. */
  readonly until: number
  /** The whole gateway failed; an answer of any provider clears this failure. */
  readonly whole?: boolean
}

export interface Synthesis {
  readonly synthesize: (request: {
    readonly text: string
    readonly provider: Provider
    readonly voice: string | undefined
    readonly format: AudioFormat
  }) => Effect.Effect<Synthesized, SpeechError>
  readonly seen: ReadonlyMap<Engine, Seen>
  readonly note: (engine: Engine, error: SpeechError | undefined) => Effect.Effect<void>
}

const well: Seen = { why: undefined, until: 0 }

export const make = (options: SynthesisOptions): Synthesis => {
  const { aliases, cache, gateway } = options
  const timeouts = options.timeouts ?? providerTimeouts
  const seen = new Map<Engine, Seen>()
  const places = Semaphore.makeUnsafe(gatewayPlaces)
  const programs = Semaphore.makeUnsafe(programPlaces)

  const note = (engine: Engine, error: SpeechError | undefined) =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      if (error === undefined) {
        seen.set(engine, well)
        for (const [one, { whole }] of seen) if (whole) seen.set(one, well)
        return
      }
      const rest = restAfter(error.reason)
      // The failure does not concern the provider, so its recorded state stays.
      if (rest.milliseconds === 0) return
      for (const one of rest.whole ? providers : [engine]) {
        seen.set(one, { why: error.message, until: now + rest.milliseconds, whole: rest.whole })
      }
    })

  /** Remaining time for a provider; fails when the provider is being skipped or too little time remains. */
  const leftFor = Effect.fnUntraced(function* (provider: Provider, deadline: number) {
    const now = yield* Clock.currentTimeMillis
    const before = seen.get(provider)
    if (before?.why !== undefined && before.until > now) return yield* speechError({ _tag: "Resting", why: before.why })
    const left = Duration.millis(deadline - now)
    return Duration.isLessThan(left, Duration.min(leastTime, timeouts[provider]))
      ? yield* speechError({ _tag: "OutOfTime" })
      : left
  })

  const byGateway = Effect.fnUntraced(function* (
    through: SpeechGateway,
    provider: Provider,
    text: string,
    voice: string | undefined,
    format: AudioFormat,
    deadline: number
  ) {
    return yield* inPlace(
      places,
      Duration.min(placeWait, yield* leftFor(provider, deadline)),
      Effect.gen(function* () {
        // Checked again after waiting for a slot: a request before this one may have failed meanwhile.
        const left = yield* leftFor(provider, deadline)
        const timeout = Duration.min(timeouts[provider], left)
        const made = through
          .synthesize({ text, provider, voice, format }, timeout)
          .pipe(Effect.flatMap((bytes) => finish(bytes, format, format)))
        return yield* Effect.tapError(
          Effect.tap(made, () => note(provider, undefined)),
          (error) =>
            // With a shortened time limit, the time-out does not prove that the provider has failed.
            error.reason._tag === "TimedOut" && Duration.isLessThan(timeout, timeouts[provider])
              ? Effect.void
              : note(provider, error)
        )
      })
    )
  })

  const make = (
    engine: Engine,
    text: string,
    voice: string | undefined,
    format: AudioFormat,
    deadline: number
  ): Effect.Effect<Audio, SpeechError> => {
    if (engine !== "espeak-ng") {
      return gateway === undefined
        ? Effect.fail(speechError({ _tag: "NotConfigured" }))
        : byGateway(gateway, engine, text, voice, format, deadline)
    }
    const made = Effect.flatMap(espeak(text, voice ?? espeakVoice), (bytes) => finish(bytes, "wav", format))
    return programs.withPermit(made).pipe(
      Effect.tap(() => Effect.sync(() => seen.set(engine, well))),
      Effect.tapError((error) => Effect.sync(() => seen.set(engine, { why: error.message, until: 0 })))
    )
  }

  return {
    seen,
    note,
    synthesize: Effect.fnUntraced(function* ({ format, provider, text, voice }) {
      const deadline = (yield* Clock.currentTimeMillis) + Duration.toMillis(gatewayBudget)
      const failed: Array<{ readonly engine: Engine; readonly why: string }> = []
      let later = false
      let crowded = false
      for (const engine of chainOf(provider, gateway !== undefined, options.standIns)) {
        // All slots of the gateway are in use, so the next gateway provider would wait as well.
        if (crowded && engine !== "espeak-ng") continue
        const own =
          resolve(aliases, voice, engine, engine === provider) ??
          (engine === "espeak-ng" ? options.espeakVoice : undefined)
        const name = nameOf(text, engine, own, format)
        let cached = true
        const wanted = Effect.suspend(() => {
          cached = false
          return make(engine, text, own, format, deadline)
        })
        const tried = yield* Effect.result(cache.through(name, wanted))
        if (tried._tag === "Success") return { ...tried.success, engine, cached, failed }
        // Every other engine would fail on the same disk.
        if (tried.failure.reason._tag === "Storage") return yield* tried.failure
        crowded ||= tried.failure.reason._tag === "Busy"
        later ||= tried.failure.retryable
        failed.push({ engine, why: tried.failure.message })
        if (failed.length === 1 && engine === "espeak-ng") return yield* tried.failure
      }
      return yield* speechError({ _tag: "NoVoice", tried: failed.map(({ engine, why }) => `${engine}: ${why}`), later })
    })
  }
}

/** Runs `body` in a slot; fails when none is free within `wait`. `body` has its own time limit. */
const inPlace = <A>(
  places: Semaphore.Semaphore,
  wait: Duration.Duration,
  body: Effect.Effect<A, SpeechError>
): Effect.Effect<A, SpeechError> =>
  Effect.suspend(() => {
    let begun = false
    const placed = places.withPermit(
      Effect.andThen(
        Effect.sync(() => void (begun = true)),
        body
      )
    )
    const patience = Effect.sleep(wait).pipe(
      Effect.andThen(
        Effect.suspend(() =>
          begun ? Effect.never : Effect.fail(speechError({ _tag: "Busy", milliseconds: Duration.toMillis(wait) }))
        )
      )
    )
    return Effect.raceFirst(placed, patience)
  })
