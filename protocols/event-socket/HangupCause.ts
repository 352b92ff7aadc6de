/**
 * What the switch's hang-up causes mean to whoever wanted to be heard. Pure, a table. Sources: switch_channel.c
 * (CAUSE_CHART) for the names, Q.850 for their sense, and originates against scripted callees of a real switch for
 * which answer of a callee becomes which cause. A cause the table has not is `unknown` and worth a retry.
 */

/**
 * - `busy`: the line is engaged. `unanswered`: it rang, or nobody spoke up. `refused`: the callee, or its network for
 *   it, said no.
 * - `bad_number`: no such number. `offline`: the callee's set is not there.
 * - `transport`: the way to the callee failed. `configuration`: our own asking was wrong.
 * - `normal`: the call ended as calls do. `unknown`: a cause this table has not.
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
   * Whether the same call can succeed later without anybody changing a setting or a number. For `normal`: whether it is
   * worth it is the caller's word.
   */
  readonly retryable: boolean
}

/** Longest cause. Unit: characters. Reason: the longest name of the chart has 31. */
export const maxCauseLength = 64

/** The meaning of a cause's name, as in `Hangup-Cause` or after `-ERR `. */
export const describeCause = (cause: string): CauseMeaning =>
  meanings.get(cause) ?? { kind: "unknown", retryable: true }

/** `-ERR USER_BUSY` → `USER_BUSY`; undefined when what follows is not the shape of a cause (`-ERR no reply`). */
export const causeFromAnswer = (answer: string): string | undefined => {
  const cause = /^-ERR ([A-Z][A-Z0-9_]+)\s*$/.exec(answer)?.[1]
  return cause === undefined || cause.length > maxCauseLength ? undefined : cause
}

interface Causes {
  /** The same call can succeed later. */
  readonly again?: ReadonlyArray<string>
  /** It cannot, before somebody changes a number or a setting. */
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
  // Who declines a call may take the next one; a barred line stays barred.
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
  // DESTINATION_OUT_OF_ORDER is also what a paused or full switch of ours says.
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
  // INCOMPATIBLE_DESTINATION: no codec in common. MANDATORY_IE_MISSING: credentials asked for and none set, or no
  // dial-string.
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

/** Every cause the table knows. */
export const knownCauses: ReadonlyArray<string> = [...meanings.keys()]
