/** Events of a failed originate, and the position of the job's end among them. From captures: see README.md. */
export type Trail =
  /** Order: CREATE, HANGUP, HANGUP_COMPLETE, the job's end, DESTROY. */
  | "refused"
  /** Order: CREATE, PROGRESS, HANGUP, the job's end, HANGUP_COMPLETE, DESTROY. */
  | "timed-out"
  /** One DESTROY of a channel that never existed, then the job. */
  | "destroyed"
  /** Only the job. */
  | "nothing"

/** Trail of a cause with which a callee, a gateway or the switch fails. */
export const trailOf = (cause: string): Trail => trails[cause] ?? "refused"

const trails: Readonly<Record<string, Trail>> = {
  NO_ANSWER: "timed-out",
  GATEWAY_DOWN: "destroyed",
  INVALID_GATEWAY: "destroyed",
  INVALID_PROFILE: "destroyed",
  USER_NOT_REGISTERED: "nothing",
  SUBSCRIBER_ABSENT: "nothing",
  CHAN_NOT_IMPLEMENTED: "nothing",
  DESTINATION_OUT_OF_ORDER: "nothing"
}

/** Q.850 codes and final SIP statuses of the captured causes. */
export const codes: Readonly<Record<string, { readonly q850: number; readonly sip?: number }>> = {
  NORMAL_CLEARING: { q850: 16 },
  USER_BUSY: { q850: 17, sip: 486 },
  NO_USER_RESPONSE: { q850: 18, sip: 480 },
  NO_ANSWER: { q850: 19 },
  CALL_REJECTED: { q850: 21, sip: 603 },
  NUMBER_CHANGED: { q850: 22, sip: 410 },
  UNALLOCATED_NUMBER: { q850: 1, sip: 404 },
  NO_ROUTE_DESTINATION: { q850: 3, sip: 604 },
  INVALID_NUMBER_FORMAT: { q850: 28, sip: 484 },
  NORMAL_TEMPORARY_FAILURE: { q850: 41, sip: 503 },
  INCOMPATIBLE_DESTINATION: { q850: 88, sip: 488 },
  MANDATORY_IE_MISSING: { q850: 96, sip: 401 },
  RECOVERY_ON_TIMER_EXPIRE: { q850: 102, sip: 408 }
}
