/**
 * Who is asked in which order, and who is left alone because it failed. Pure.
 */
import { type Engine, type Provider } from "./Audio.ts"
import type { SpeechReason } from "./SpeechError.ts"

/** Stand-ins in order. Reason: better voices first, and a text leaves the house only when nobody in it can speak. */
const standIns: ReadonlyArray<Provider> = ["local_gpu", "local_fast", "cloud"]

/** The asked provider, the remaining ones, espeak-ng here; without a gateway only that. */
export const chainOf = (asked: Provider, gateway: boolean): ReadonlyArray<Engine> =>
  gateway ? [asked, ...standIns.filter((other) => other !== asked), "espeak-ng"] : ["espeak-ng"]

/** The provider that an answer tells of an engine. */
export const providerOf = (engine: Engine): Provider => (engine === "espeak-ng" ? "local_fast" : engine)

/**
 * How long a provider is left alone after a failure. Unit: milliseconds. Reason: its time-out is paid once a minute,
 * not once a call.
 */
export const restTime = 60_000

/** Shorter: it answered, so asking costs little. Unit: milliseconds. */
export const shortRestTime = 10_000

/** Answers about this text, this voice, or a provider that is not offered. */
export const aboutRequest: ReadonlySet<number> = new Set([400, 413, 422])

/** Answers about our token or our address. */
const aboutGateway: ReadonlySet<number> = new Set([401, 403, 404, 405])

/** What a failure says about later requests: for how long its provider, or all of the gateway, are left alone. */
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
