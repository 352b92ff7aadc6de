/** State machine of one softphone call. Pure: applies events of the line and actions of the user. */

/** Reason why a call ended. */
export type Outcome =
  | "hung-up"
  | "busy"
  | "rejected"
  | "unanswered"
  | "unknown-number"
  | "forbidden"
  /** It rang here, and the caller hung up. */
  | "missed"
  /** It rang here, and another phone answered. */
  | "elsewhere"
  | "no-microphone"
  | "no-common-codec"
  | "failed"

export interface Call {
  readonly id: string
  readonly direction: "in" | "out"
  /** Number of the other side, or a name such as `webrtc-ann`; empty when withheld. */
  readonly number: string
  /** Name that the other side's phone sent. */
  readonly name: string | undefined
  /**
   * Outgoing: `calling` until the other side rings (`alerting`). Incoming: `ringing` until the user answers
   * (`answering`).
   */
  readonly phase: "calling" | "alerting" | "ringing" | "answering" | "talking" | "ended"
  /** The other side sends early media before it answers (RFC 3960), so no ringback tone is generated. */
  readonly early: boolean
  /** Silenced here; it continues to ring for the caller. */
  readonly quiet: boolean
  readonly muted: boolean
  readonly held: boolean
  /** The last keys that were sent. */
  readonly tones: string
  /** Time of the answer. Unit: epoch milliseconds. */
  readonly since: number | undefined
  readonly outcome: Outcome | undefined
}

export type CallEvent =
  | { readonly _tag: "Dialled"; readonly id: string; readonly number: string; readonly name?: string | undefined }
  | { readonly _tag: "Rang"; readonly id: string; readonly number: string; readonly name: string | undefined }
  | { readonly _tag: "Alerting"; readonly id: string; readonly early: boolean }
  | { readonly _tag: "Answering"; readonly id: string }
  | { readonly _tag: "Established"; readonly id: string; readonly at: number }
  | { readonly _tag: "Quiet"; readonly id: string }
  | { readonly _tag: "Muted"; readonly id: string; readonly on: boolean }
  | { readonly _tag: "Held"; readonly id: string; readonly on: boolean }
  | { readonly _tag: "Tone"; readonly id: string; readonly tone: string }
  | { readonly _tag: "Over"; readonly id: string; readonly outcome: Outcome }
  | { readonly _tag: "Cleared"; readonly id: string }

/** Maximum number of keys that stay visible. */
const shownTones = 20

const fresh = {
  early: false,
  quiet: false,
  muted: false,
  held: false,
  tones: "",
  since: undefined,
  outcome: undefined
} as const

/** Whether a new call may begin; there is one call at a time. */
export const isFree = (call: Call | undefined): boolean => call === undefined || call.phase === "ended"

/** Whether the call is connected, also while it is muted or held. */
export const isTalking = (call: Call | undefined): call is Call => call?.phase === "talking"

/** The call after `event`; an event that does not fit changes nothing. */
export const step = (call: Call | undefined, event: CallEvent): Call | undefined => {
  if (event._tag === "Dialled" || event._tag === "Rang") {
    if (!isFree(call)) return call
    const { id, name, number } = event
    return event._tag === "Dialled"
      ? { ...fresh, id, number, name, direction: "out", phase: "calling" }
      : { ...fresh, id, number, name, direction: "in", phase: "ringing" }
  }
  if (call === undefined || call.id !== event.id) return call
  if (event._tag === "Cleared") return call.phase === "ended" ? undefined : call
  if (call.phase === "ended") return call
  switch (event._tag) {
    case "Alerting":
      return call.phase === "calling" || call.phase === "alerting"
        ? { ...call, phase: "alerting", early: call.early || event.early }
        : call
    case "Answering":
      return call.phase === "ringing" ? { ...call, phase: "answering" } : call
    case "Established":
      return call.phase === "talking" ? call : { ...call, phase: "talking", since: event.at }
    case "Quiet":
      return call.phase === "ringing" ? { ...call, quiet: true } : call
    case "Muted":
      return call.phase === "talking" ? { ...call, muted: event.on } : call
    case "Held":
      return call.phase === "talking" ? { ...call, held: event.on } : call
    case "Tone":
      return call.phase === "talking" ? { ...call, tones: (call.tones + event.tone).slice(-shownTones) } : call
    case "Over":
      return { ...call, phase: "ended", outcome: event.outcome, quiet: false }
  }
}

/** Outcome for the status of a call's final response. Source: RFC 3261 §21. */
export const outcomeOf = (status: number): Outcome => {
  switch (status) {
    case 486:
    case 600:
      return "busy"
    case 603:
      return "rejected"
    case 403:
      return "forbidden"
    case 404:
    case 410:
    case 484:
    case 604:
      return "unknown-number"
    case 408:
    case 480:
    case 487:
      return "unanswered"
    case 415:
    case 488:
    case 606:
      return "no-common-codec"
    default:
      return "failed"
  }
}
