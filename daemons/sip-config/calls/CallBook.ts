/**
 * What an event of the switch says of a call. Pure: keeps nothing, since the rows of the calls are what is known of
 * them; an event that comes twice is the same step twice. Source: wire sheet of the event socket, captures B86, B87,
 * B89.
 */
import { maxSpelling } from "../directory/Exports.ts"

export interface Began {
  readonly _tag: "Began"
  readonly id: string
  /** Of the tenant's own phones: which tenant. Of a trunk: undefined, as only the number that was called tells. */
  readonly tenantId: number | undefined
  /** As the switch has it, bounded; empty when hidden. */
  readonly caller: string
  /** What was called, in the spellings that the line gave, the likeliest first. */
  readonly called: ReadonlyArray<string>
  /** Milliseconds since 1970, as all times here. */
  readonly at: number
}

export type Step =
  | Began
  /**
   * `extension`: whose phone took it; undefined when it was no phone of ours (a menu, a mobile), or the caller's side.
   */
  | { readonly _tag: "Answered"; readonly id: string; readonly extension: string | undefined; readonly at: number }
  | { readonly _tag: "Ended"; readonly id: string; readonly cause: string; readonly at: number }

/** Events that say something of calls. */
export const callEvents = ["CHANNEL_CREATE", "CHANNEL_ANSWER", "CHANNEL_HANGUP_COMPLETE"] as const

/** The context in which calls of trunks run; another's is `tenant-<id>`. */
const trunkContext = "public"

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Undefined: nothing that is kept. `now`: when it carries no time. */
export const step = (name: string, headers: Readonly<Record<string, string>>, now: number): Step | undefined => {
  const channel = headers["Unique-ID"]?.toLowerCase() ?? ""
  // The same for all legs of a call: that of the one who calls.
  const id = (headers["Channel-Call-UUID"] ?? channel).toLowerCase()
  if (!uuid.test(id)) return undefined
  const first = channel === id
  const at = timeOf(headers, now)
  switch (name) {
    case "CHANNEL_CREATE": {
      // Outbound, as the switch sees it: a leg to whom is called, or a call of our own.
      if (!first || headers["Call-Direction"] !== "inbound") return undefined
      const context = headers["Caller-Context"] ?? ""
      const tenantId = Number(/^tenant-([1-9]\d{0,9})$/.exec(context)?.[1])
      if (context !== trunkContext && !(tenantId <= 2_147_483_647)) return undefined
      const called = [
        headers["Caller-Destination-Number"],
        headers["variable_sip_to_user"],
        headers["variable_sip_req_user"]
      ]
      return {
        _tag: "Began",
        id,
        tenantId: context === trunkContext ? undefined : tenantId,
        caller: plain(headers["Caller-Caller-ID-Number"]),
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

/** What the switch says when it knows of no such call any more, and we never heard its end. */
export const lostCause = "LOST"

const causeOf = (cause: string | undefined): string =>
  cause !== undefined && /^[A-Z0-9_]{1,60}$/.test(cause) ? cause : "UNSPECIFIED"

/** A caller writes it: bounded, and without what no number has. */
const plain = (text: string | undefined): string =>
  (text ?? "").slice(0, maxSpelling).replace(/[^\p{L}\p{N}+*#_.-]/gu, "")

const timeOf = (headers: Readonly<Record<string, string>>, now: number): number => {
  const microseconds = Number(headers["Event-Date-Timestamp"])
  return Number.isFinite(microseconds) && microseconds > 0 && microseconds < 8.64e18
    ? Math.floor(microseconds / 1000)
    : now
}
