/**
 * Whether the softphone can be called. Pure: what happens to the line, one step after the other, and when it is tried
 * again.
 */

/** What stands in the way. */
export type Trouble =
  /** Nobody answers at the other end, or only with errors of its own; tried again by itself. */
  | "unreachable"
  /** The switch does not take the password. Not tried again by itself: five times would ban the address. */
  | "refused"
  /** The extension is switched off. */
  | "disabled"
  /** It is not theirs (any more). */
  | "not-yours"

export type Registration =
  | { readonly _tag: "Off" }
  /** Another tab of this browser has it; this one takes over when that closes. */
  | { readonly _tag: "Elsewhere" }
  /** `tries` that failed in a row. `proven`: the switch took these settings before. */
  | { readonly _tag: "Connecting"; readonly tries: number; readonly proven: boolean }
  | { readonly _tag: "Registered" }
  | { readonly _tag: "Failed"; readonly why: Exclude<Trouble, "unreachable"> }

export type RegistrationEvent =
  | { readonly _tag: "On" }
  | { readonly _tag: "Elsewhere" }
  | { readonly _tag: "Off" }
  | { readonly _tag: "Registered" }
  /** The socket closed or did not open, or the switch had trouble of its own. */
  | { readonly _tag: "Cut" }
  | { readonly _tag: "Refused" }
  | { readonly _tag: "Denied"; readonly why: "disabled" | "not-yours" }

/**
 * First and longest pause between two tries. Unit: milliseconds. Reason: a switch that starts anew is there within
 * seconds; a minute is soon enough for a long outage.
 */
export const firstPause = 1_000
export const longestPause = 60_000

/**
 * From so many failed tries in a row on it is called a failure. Unit: tries. Reason: one that mends itself at once is
 * nobody's business.
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
      // Its password was changed meanwhile: once more, with settings asked for anew.
      return state._tag === "Registered" || (state._tag === "Connecting" && state.proven)
        ? { _tag: "Connecting", tries: 1, proven: false }
        : { _tag: "Failed", why: "refused" }
    case "Denied":
      return { _tag: "Failed", why: event.why }
  }
}

/**
 * How long to wait after so many failed tries. Unit: milliseconds. `random`: 0 to 1, so that not all phones come back
 * at once.
 */
export const pauseAfter = (tries: number, random: number): number =>
  Math.min(firstPause * 2 ** Math.max(tries - 1, 0), longestPause) * (0.5 + random / 2)

/** What a person is told. */
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
