/**
 * What the switch's hang-up causes mean to whoever wanted to be heard. Pure, a table.
 * Sources: switch_channel.c (CAUSE_CHART) for the names, Q.850 for their sense, and originates against scripted callees of a
 * real switch for which answer of a callee becomes which cause.
 */

/**
 * - `busy`: the line is engaged. `unanswered`: it rang, or nobody spoke up. `refused`: the callee, or its network for it, said no.
 * - `bad_number`: no such number. `offline`: the callee's set is not there.
 * - `transport`: the way to the callee failed. `configuration`: our own asking was wrong.
 * - `normal`: the call ended as calls do. `unknown`: a cause this table has not.
 */
export type CauseKind = "busy" | "unanswered" | "refused" | "bad_number" | "offline" | "transport" | "configuration" | "normal" | "unknown"

export interface CauseMeaning {
  readonly kind: CauseKind
  /** Whether the same call can succeed later without anybody changing a setting or a number. */
  readonly retryable: boolean
}

/** Longest cause. Unit: characters. Reason: the longest name of the chart has 31. */
export const maxCauseLength = 64

/** The meaning of a cause's name, as in `Hangup-Cause` or after `-ERR `. */
export const describeCause = (cause: string): CauseMeaning => meanings.get(cause) ?? { kind: "unknown", retryable: true }

/** `-ERR USER_BUSY` → `USER_BUSY`; undefined when what follows is not the shape of a cause (`-ERR no reply`). */
export const causeFromAnswer = (answer: string): string | undefined => {
  const cause = /^-ERR ([A-Z][A-Z0-9_]+)\s*$/.exec(answer)?.[1]
  return cause === undefined || cause.length > maxCauseLength ? undefined : cause
}

const table: Readonly<Record<Exclude<CauseKind, "unknown">, { readonly again: ReadonlyArray<string>; readonly never: ReadonlyArray<string> }>> = {
  busy: { again: ["USER_BUSY"], never: [] },
  unanswered: {
    again: ["NO_ANSWER", "NO_USER_RESPONSE", "ORIGINATOR_CANCEL", "ALLOTTED_TIMEOUT", "PROGRESS_TIMEOUT", "PICKED_OFF", "LOSE_RACE", "MEDIA_TIMEOUT"],
    never: []
  },
  // A callee who refuses once may answer the next call; that is why the kind is told apart and not the retry.
  refused: { again: ["CALL_REJECTED", "DECLINE", "REJECT_ALL"], never: ["BLACKLISTED", "OUTGOING_CALL_BARRED", "INCOMING_CALL_BARRED", "BARRED_NUMBER", "UNWANTED"] },
  bad_number: { again: [], never: ["UNALLOCATED_NUMBER", "INVALID_NUMBER_FORMAT", "NO_ROUTE_DESTINATION", "NUMBER_CHANGED", "INVALID_URL"] },
  offline: { again: ["USER_NOT_REGISTERED", "SUBSCRIBER_ABSENT", "DESTINATION_OUT_OF_ORDER", "GONE"], never: [] },
  transport: { again: [], never: [] },
  configuration: { again: [], never: [] },
  normal: { again: [], never: [] }
}

const meanings: ReadonlyMap<string, CauseMeaning> = new Map(
  Object.entries(table).flatMap(([kind, { again, never }]) => [
    ...again.map((cause) => [cause, { kind: kind as CauseKind, retryable: true }] as const),
    ...never.map((cause) => [cause, { kind: kind as CauseKind, retryable: false }] as const)
  ])
)
