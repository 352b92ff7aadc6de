/**
 * Table of hang-up causes: what each means for the caller. Pure. Sources: switch_channel.c (CAUSE_CHART) for the names,
 * Q.850 for their meaning. Test calls from a real switch to scripted callees showed which reply of a callee becomes
 * which cause. A cause missing from the table is `unknown` and retryable.
 */

/**
 * Kind of a cause.
 *
 * - `busy`: the line is engaged. `unanswered`: the phone rang, or the callee's side did not respond. `refused`: the
 *   callee or the callee's network rejected the call.
 * - `bad_number`: the number does not exist. `offline`: the callee's device is not registered.
 * - `transport`: the network path to the callee failed. `configuration`: our request or our settings are wrong.
 * - `normal`: the call ended normally. `unknown`: the table has no such cause.
 */
export type CauseKind =
  | "busy"
  | "unanswered"
  | "refused"
  | "bad_number"
  | "offline"
  | "transport"
  | "configuration"
  | "normal"
  | "unknown"

export interface CauseMeaning {
  readonly kind: CauseKind
  /**
   * Whether the same call can succeed later without a change of a setting or number. For `normal` the caller decides
   * whether to repeat the call.
   */
  readonly retryable: boolean
}

/** Longest cause. Unit: characters. Reason: the longest name in CAUSE_CHART has 31. */
export const maxCauseLength = 64

/** Meaning of a cause by its name, as in `Hangup-Cause` or after `-ERR `. */
export const describeCause = (cause: string): CauseMeaning =>
  meanings.get(cause) ?? { kind: "unknown", retryable: true }

/**
 * The cause in an answer: `-ERR USER_BUSY` → `USER_BUSY`. Undefined when the text is not a cause name (`-ERR no
 * reply`).
 */
export const causeFromAnswer = (answer: string): string | undefined => {
  const cause = /^-ERR ([A-Z][A-Z0-9_]+)\s*$/.exec(answer)?.[1]
  return cause === undefined || cause.length > maxCauseLength ? undefined : cause
}

interface Causes {
  /** The same call can succeed later. */
  readonly again?: ReadonlyArray<string>
  /** The call cannot succeed before a number or a setting changes. */
  readonly never?: ReadonlyArray<string>
}

const table: Readonly<Record<Exclude<CauseKind, "unknown">, Causes>> = {
  busy: { again: ["USER_BUSY", "BUSY_EVERYWHERE"] },
  unanswered: {
    again: [
      "NO_ANSWER",
      "NO_USER_RESPONSE",
      "ORIGINATOR_CANCEL",
      "ALLOTTED_TIMEOUT",
      "PROGRESS_TIMEOUT",
      "NO_PICKUP",
      "PICKED_OFF",
      "LOSE_RACE"
    ]
  },
  // A callee who declines a call may accept the next one; a barred line stays barred.
  refused: {
    again: ["CALL_REJECTED", "DECLINE", "REJECT_ALL", "FACILITY_REJECTED"],
    never: ["OUTGOING_CALL_BARRED", "INCOMING_CALL_BARRED", "UNWANTED"]
  },
  bad_number: {
    never: [
      "UNALLOCATED_NUMBER",
      "INVALID_NUMBER_FORMAT",
      "NO_ROUTE_DESTINATION",
      "NO_ROUTE_TRANSIT_NET",
      "NUMBER_CHANGED",
      "DOES_NOT_EXIST_ANYWHERE"
    ]
  },
  offline: { again: ["USER_NOT_REGISTERED", "SUBSCRIBER_ABSENT"] },
  // Our own switch also reports DESTINATION_OUT_OF_ORDER while it is paused or at its limit.
  transport: {
    again: [
      "NORMAL_TEMPORARY_FAILURE",
      "NETWORK_OUT_OF_ORDER",
      "GATEWAY_DOWN",
      "RECOVERY_ON_TIMER_EXPIRE",
      "SWITCH_CONGESTION",
      "SERVICE_UNAVAILABLE",
      "DESTINATION_OUT_OF_ORDER",
      "NORMAL_CIRCUIT_CONGESTION",
      "REQUESTED_CHAN_UNAVAIL",
      "CHANNEL_UNACCEPTABLE",
      "EXCHANGE_ROUTING_ERROR",
      "PRE_EMPTED",
      "MEDIA_TIMEOUT",
      "SRTP_READ_ERROR",
      "SYSTEM_SHUTDOWN",
      "CRASH",
      "INTERWORKING",
      "PROTOCOL_ERROR",
      "WRONG_CALL_STATE",
      "INVALID_CALL_REFERENCE",
      "REDIRECTION_TO_NEW_DESTINATION"
    ]
  },
  // INCOMPATIBLE_DESTINATION: no common codec. MANDATORY_IE_MISSING: the callee requires credentials and none are
  // configured, or there is no dial string.
  configuration: {
    never: [
      "INVALID_GATEWAY",
      "INVALID_PROFILE",
      "INVALID_URL",
      "CHAN_NOT_IMPLEMENTED",
      "INCOMPATIBLE_DESTINATION",
      "NOT_ACCEPTABLE",
      "MANDATORY_IE_MISSING",
      "MANDATORY_IE_LENGTH_ERROR",
      "USER_CHALLENGE",
      "FACILITY_NOT_SUBSCRIBED",
      "FACILITY_NOT_IMPLEMENTED",
      "SERVICE_NOT_IMPLEMENTED",
      "BEARERCAPABILITY_NOTAUTH",
      "BEARERCAPABILITY_NOTAVAIL",
      "BEARERCAPABILITY_NOTIMPL",
      "ACCESS_INFO_DISCARDED",
      "INVALID_MSG_UNSPECIFIED",
      "MESSAGE_TYPE_NONEXIST",
      "WRONG_MESSAGE",
      "IE_NONEXIST",
      "INVALID_IE_CONTENTS",
      "NO_IDENTITY",
      "BAD_IDENTITY_INFO",
      "UNSUPPORTED_CERTIFICATE",
      "INVALID_IDENTITY",
      "STALE_DATE"
    ]
  },
  normal: {
    again: [
      "NORMAL_CLEARING",
      "NORMAL_UNSPECIFIED",
      "MANAGER_REQUEST",
      "SUCCESS",
      "BLIND_TRANSFER",
      "ATTENDED_TRANSFER",
      "CALL_AWARDED_DELIVERED",
      "RESPONSE_TO_STATUS_ENQUIRY",
      "BOWOUT"
    ]
  }
}

const meanings: ReadonlyMap<string, CauseMeaning> = new Map(
  (Object.keys(table) as Array<keyof typeof table>).flatMap((kind) => {
    const rows = (causes: ReadonlyArray<string> = [], retryable: boolean) =>
      causes.map((cause): [string, CauseMeaning] => [cause, { kind, retryable }])
    return [...rows(table[kind].again, true), ...rows(table[kind].never, false)]
  })
)

/** All causes in the table. */
export const knownCauses: ReadonlyArray<string> = [...meanings.keys()]
