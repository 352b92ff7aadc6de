/**
 * Translates an event of the switch into a step of a call. Pure and stateless: the rows of the calls hold the state, so
 * a repeated event gives the same step again. Source: wire sheet of the event socket, captures B86, B87, B89.
 */
import { maxSpelling } from "../directory/Exports.ts"
import { isWithheld } from "../routing/Exports.ts"

export interface Began {
  readonly _tag: "Began"
  readonly id: string
  /** Tenant of the calling phone; undefined for a call from a trunk, where only the dialled number tells the tenant. */
  readonly tenantId: number | undefined
  /** Caller's number as the switch reports it, shortened; empty when the caller hides it. */
  readonly caller: string
  /** Dialled number in the spellings that the event carries, the most reliable first. */
  readonly called: ReadonlyArray<string>
  /** Time of the event. Unit: milliseconds since 1970. */
  readonly at: number
}

export type Step =
  | Began
  /**
   * `extension`: extension whose phone took the call. Undefined when the leg is the caller's own, or not an extension
   * (a menu, an outside number).
   */
  | { readonly _tag: "Answered"; readonly id: string; readonly extension: string | undefined; readonly at: number }
  | { readonly _tag: "Ended"; readonly id: string; readonly cause: string; readonly at: number }

/** Switch events about calls. */
export const callEvents = ["CHANNEL_CREATE", "CHANNEL_ANSWER", "CHANNEL_HANGUP_COMPLETE"] as const

/** Dialplan context of calls from trunks; calls from phones run in `tenant-<id>`. */
const trunkContext = "public"

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Step that an event means; undefined for events without effect on a call. `now` is used when the event has no time.
 */
export const step = (name: string, headers: Readonly<Record<string, string>>, now: number): Step | undefined => {
  const channel = headers["Unique-ID"]?.toLowerCase() ?? ""
  // All legs of a call carry the UUID of the caller's leg.
  const id = (headers["Channel-Call-UUID"] ?? channel).toLowerCase()
  if (!uuid.test(id)) return undefined
  const first = channel === id
  const at = timeOf(headers, now)
  switch (name) {
    case "CHANNEL_CREATE": {
      // Only the caller's leg begins a call. Outbound legs lead to the called party or are started by the switch
      // itself.
      if (!first || headers["Call-Direction"] !== "inbound") return undefined
      const context = headers["Caller-Context"] ?? ""
      const tenantId = Number(/^tenant-([1-9]\d{0,9})$/.exec(context)?.[1])
      if (context !== trunkContext && !(tenantId <= 2_147_483_647)) return undefined
      const hidden =
        context === trunkContext &&
        isWithheld(headers["Caller-Caller-ID-Number"] ?? "", headers["Caller-Privacy-Hide-Number"])
      const called = [
        headers["Caller-Destination-Number"],
        headers["variable_sip_to_user"],
        headers["variable_sip_req_user"]
      ]
      return {
        _tag: "Began",
        id,
        tenantId: context === trunkContext ? undefined : tenantId,
        caller: hidden ? "" : plain(headers["Caller-Caller-ID-Number"]),
        called: [...new Set(called.map(plain).filter((number) => number !== ""))],
        at
      }
    }
    case "CHANNEL_ANSWER": {
      const extension = first ? "" : plain(headers["variable_dialed_user"] ?? headers["Caller-Destination-Number"])
      return {
        _tag: "Answered",
        id,
        extension: extension === "" || /^\+|^\d{7,}$/.test(extension) ? undefined : extension,
        at
      }
    }
    case "CHANNEL_HANGUP_COMPLETE":
      return first ? { _tag: "Ended", id, cause: causeOf(headers["Hangup-Cause"]), at } : undefined
    default:
      return undefined
  }
}

/** Cause of a call that the switch no longer knows, and whose end it never reported. */
export const lostCause = "LOST"

const causeOf = (cause: string | undefined): string =>
  cause !== undefined && /^[A-Z0-9_]{1,60}$/.test(cause) ? cause : "UNSPECIFIED"

/** Shortens and cleans a number, because the caller chooses its text. */
const plain = (text: string | undefined): string =>
  (text ?? "").slice(0, maxSpelling).replace(/[^\p{L}\p{N}+*#_.-]/gu, "")

const timeOf = (headers: Readonly<Record<string, string>>, now: number): number => {
  const microseconds = Number(headers["Event-Date-Timestamp"])
  return Number.isFinite(microseconds) && microseconds > 0 && microseconds < 8.64e18
    ? Math.floor(microseconds / 1000)
    : now
}
