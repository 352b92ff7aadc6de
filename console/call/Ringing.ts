/**
 * Combines ringing calls: those that the switch announces to all users, and the call to the browser's own phone. Pure.
 */
import type { Call } from "../softphone/CallState.ts"
import { sameNumber } from "../softphone/Target.ts"
import type { IncomingCall } from "./Calls.ts"

export interface Ringing {
  /** Ids of the call: the switch's id, the phone's id, or both. */
  readonly keys: ReadonlyArray<string>
  readonly notice: IncomingCall | undefined
  readonly phone: Call | undefined
}

/**
 * The call to the own phone comes first, with its announcement if there is one. Each call appears once, whichever
 * message arrived first.
 */
export const ringing = (notices: ReadonlyArray<IncomingCall>, call: Call | undefined): ReadonlyArray<Ringing> => {
  const phone = call?.phase === "ringing" && !call.quiet ? call : undefined
  // While the phone's call is silenced, being answered or connected, the announcement still belongs to it.
  const notice =
    call?.direction === "in" && call.phase !== "ended"
      ? notices.find(({ caller_id }) => sameNumber(caller_id === "anonymous" ? "" : caller_id, call.number))
      : undefined
  const others = notices
    .filter((one) => one !== notice)
    .map((one): Ringing => ({ keys: [one.call_id], notice: one, phone: undefined }))
  return phone === undefined
    ? others
    : [{ keys: [phone.id, ...(notice === undefined ? [] : [notice.call_id])], notice, phone }, ...others]
}

/** Identity of the shown call; a new `turn` means a different call. */
export interface Followed {
  readonly turn: number
  readonly keys: ReadonlyArray<string>
}

/** Keeps the turn when the same call appears with another id, so that it does not start to ring again. */
export const follow = (before: Followed, keys: ReadonlyArray<string>): Followed =>
  keys.some((key) => before.keys.includes(key))
    ? { turn: before.turn, keys: [...new Set([...before.keys, ...keys])] }
    : { turn: before.turn + 1, keys }
