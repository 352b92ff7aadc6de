/** Order of speech providers for a request, and how long a failed provider is skipped. Pure. */
import { type Engine, type Provider } from "./Audio.ts"
import type { SpeechReason } from "./SpeechError.ts"

/**
 * Substitute providers where the operator names none, better voices first. Without the cloud, because it receives the
 * text: it speaks only where the sender or the operator named it.
 */
export const localStandIns: ReadonlyArray<Provider> = ["local_gpu", "local_fast"]

/** The requested provider, the substitutes, then the local espeak-ng; without a gateway only espeak-ng. */
export const chainOf = (
  asked: Provider,
  gateway: boolean,
  standIns: ReadonlyArray<Provider> = localStandIns
): ReadonlyArray<Engine> =>
  gateway ? [asked, ...standIns.filter((other) => other !== asked), "espeak-ng"] : ["espeak-ng"]

/** The provider name reported for an engine. */
export const providerOf = (engine: Engine): Provider => (engine === "espeak-ng" ? "local_fast" : engine)

/**
 * How long a provider is skipped after a failure. Unit: milliseconds. Reason: limits the cost of its time-out to once a
 * minute.
 */
export const restTime = 60_000

/**
 * How long a provider is skipped that failed with an answer; shorter, because asking it costs little. Unit:
 * milliseconds.
 */
export const shortRestTime = 10_000

/** Status codes about this text, this voice, or a provider that the gateway does not offer. */
export const aboutRequest: ReadonlySet<number> = new Set([400, 413, 422])

/** Status codes about our token or the gateway's address. */
const aboutGateway: ReadonlySet<number> = new Set([401, 403, 404, 405])

/** How long a failure excludes the provider, or with `whole` the entire gateway. */
export const restAfter = (reason: SpeechReason): { readonly milliseconds: number; readonly whole: boolean } => {
  switch (reason._tag) {
    case "Unreachable":
      return { milliseconds: restTime, whole: true }
    case "Refused":
      if (aboutRequest.has(reason.status)) return { milliseconds: 0, whole: false }
      return aboutGateway.has(reason.status)
        ? { milliseconds: restTime, whole: true }
        : { milliseconds: shortRestTime, whole: false }
    case "ConnectionLost":
    case "TimedOut":
    case "BadAnswer":
      return { milliseconds: restTime, whole: false }
    default:
      return { milliseconds: 0, whole: false }
  }
}
