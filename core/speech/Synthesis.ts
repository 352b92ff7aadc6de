/**
 * From a text to a file: the asked provider, else the next one that can, at last espeak-ng here. Each engine's audio is
 * kept under its own hash, so that a stand-in's voice is not served once the asked one is back.
 */
import { Clock, Duration, Effect, Semaphore } from "effect"
import type { AudioFormat, Engine, Provider } from "./Audio.ts"
import { type Audio, finish } from "./Conversion.ts"
import { espeak, espeakVoice } from "./EspeakNg.ts"
import { chainOf, restAfter } from "./ProviderChain.ts"
import { type CachedAudio, nameOf, type SpeechCache } from "./SpeechCache.ts"
import { type SpeechError, speechError } from "./SpeechError.ts"
import { providerTimeouts, type SpeechGateway } from "./SpeechGateway.ts"
import { resolve, type VoiceAliases } from "./VoiceAliases.ts"

/**
 * How long the gateway's providers may take together. Reason: a call waits for it, and plain words now beat a fine
 * voice later.
 */
export const gatewayBudget = Duration.seconds(25)

/** With less of it left a provider is not asked. */
const leastTime = Duration.seconds(2)

/** Requests to the gateway under way. Reason: a GPU serves them one by one, and each holds up to 24 MB. */
export const gatewayPlaces = 4

/** How long a request waits for a place. Reason: half of what one provider may take; espeak-ng needs none. */
export const placeWait = Duration.seconds(10)

/** Programs at once. Reason: processors; a storm of alarms must leave some to the alarms. */
const programPlaces = 2

export interface SynthesisOptions {
  readonly gateway: SpeechGateway | undefined
  readonly cache: SpeechCache
  readonly aliases: VoiceAliases
  readonly espeakVoice: string
  /** Shorter ones are for tests. */
  readonly timeouts?: Readonly<Record<Provider, Duration.Duration>>
}

export interface Synthesized extends CachedAudio {
  readonly engine: Engine
  readonly cached: boolean
  /** Why the engines before it did not speak, in order. */
  readonly failed: ReadonlyArray<{ readonly engine: Engine; readonly why: string }>
}

/** What the last request to a provider told. */
export interface Seen {
  readonly why: string | undefined
  /** Left alone until then. Unit: epoch milliseconds. */
  readonly until: number
  /** The failure was the gateway's, not this provider's: whichever provider answers next ends it. */
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
      // No fault of the provider's, or none of ours to tell: what is known of it stands.
      if (rest.milliseconds === 0) return
      for (const one of rest.whole ? chainOf("local_gpu", true).slice(0, -1) : [engine]) {
        seen.set(one, { why: error.message, until: now + rest.milliseconds, whole: rest.whole })
      }
    })

  /** What is left until the deadline, when asking the provider makes sense at all. */
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
        // Whoever waited for a place looks again: the one before may just have paid the time-out.
        const left = yield* leftFor(provider, deadline)
        const timeout = Duration.min(timeouts[provider], left)
        const made = through
          .synthesize({ text, provider, voice, format }, timeout)
          .pipe(Effect.flatMap((bytes) => finish(bytes, format, format)))
        return yield* Effect.tapError(
          Effect.tap(made, () => note(provider, undefined)),
          (error) =>
            // With less than its own time it may only have been slow.
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
      for (const engine of chainOf(provider, gateway !== undefined)) {
        // The places are the gateway's, so the next provider has none either.
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
        // The next engine would meet the same disk.
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

/** With a place, unless none gets free within `wait`; from then on `body` has its own time-out. */
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
