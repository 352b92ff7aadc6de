/** State machine of the softphone's registration, and the delays between attempts. Pure. */

/** Reason why the phone is not registered. */
export type Trouble =
  /** The switch does not answer or reports temporary errors. Retried automatically. */
  | "unreachable"
  /** The switch refused the password. Not retried automatically, because five failures would ban the address. */
  | "refused"
  /** The extension is disabled. */
  | "disabled"
  /** The extension does not belong to the user (any more). */
  | "not-yours"

export type Registration =
  | { readonly _tag: "Off" }
  /** Another tab of this browser runs the phone; this tab takes over when the other one closes. */
  | { readonly _tag: "Elsewhere" }
  /** `tries`: failed attempts in a row. `proven`: the switch accepted these settings before. */
  | { readonly _tag: "Connecting"; readonly tries: number; readonly proven: boolean }
  | { readonly _tag: "Registered" }
  | { readonly _tag: "Failed"; readonly why: Exclude<Trouble, "unreachable"> }

export type RegistrationEvent =
  | { readonly _tag: "On" }
  | { readonly _tag: "Elsewhere" }
  | { readonly _tag: "Off" }
  | { readonly _tag: "Registered" }
  /** The socket closed or could not be opened, or the switch had a temporary error. */
  | { readonly _tag: "Cut" }
  | { readonly _tag: "Refused" }
  | { readonly _tag: "Denied"; readonly why: "disabled" | "not-yours" }

/**
 * First and longest delay between two attempts. Unit: milliseconds. Reason: a restarted switch is back within seconds;
 * in a long outage one attempt a minute is enough.
 */
export const firstPause = 1_000
export const longestPause = 60_000

/**
 * Number of failed attempts in a row from which a failure is shown. Reason: a single failure usually resolves itself.
 */
const manyTries = 2

export const next = (state: Registration, event: RegistrationEvent): Registration => {
  if (event._tag === "Off") return { _tag: "Off" }
  if (event._tag === "On") return { _tag: "Connecting", tries: 0, proven: false }
  if (state._tag === "Off" || state._tag === "Failed") return state
  switch (event._tag) {
    case "Elsewhere":
      return { _tag: "Elsewhere" }
    case "Registered":
      return { _tag: "Registered" }
    case "Cut":
      return state._tag === "Connecting"
        ? { ...state, tries: state.tries + 1 }
        : { _tag: "Connecting", tries: 1, proven: true }
    case "Refused":
      // The password has changed: one more attempt with freshly loaded settings.
      return state._tag === "Registered" || (state._tag === "Connecting" && state.proven)
        ? { _tag: "Connecting", tries: 1, proven: false }
        : { _tag: "Failed", why: "refused" }
    case "Denied":
      return { _tag: "Failed", why: event.why }
  }
}

/**
 * Delay after this number of failed attempts. Unit: milliseconds. `random`: 0 to 1, so that phones do not reconnect at
 * the same time.
 */
export const pauseAfter = (tries: number, random: number): number =>
  Math.min(firstPause * 2 ** Math.max(tries - 1, 0), longestPause) * (0.5 + random / 2)

/** State to show to the user. */
export const shown = (
  state: Registration
): { readonly word: "off" | "elsewhere" | "connecting" | "registered" | "failed"; readonly why?: Trouble } => {
  switch (state._tag) {
    case "Off":
      return { word: "off" }
    case "Elsewhere":
      return { word: "elsewhere" }
    case "Registered":
      return { word: "registered" }
    case "Connecting":
      return state.tries < manyTries ? { word: "connecting" } : { word: "failed", why: "unreachable" }
    case "Failed":
      return { word: "failed", why: state.why }
  }
}
