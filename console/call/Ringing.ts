/** What rings: calls that the switch tells everybody of, and the one that this browser's own phone can take. Pure. */
import type { Call } from "../softphone/CallState.ts"
import { sameNumber } from "../softphone/Target.ts"
import type { IncomingCall } from "./Calls.ts"

export interface Ringing {
  /** Its names, one of each side: the same call is known by either. */
  readonly keys: ReadonlyArray<string>
  readonly notice: IncomingCall | undefined
  readonly phone: Call | undefined
}

/**
 * What can be taken here comes first, with what is known of it; one call is one, by whichever way it is heard of first.
 */
export const ringing = (notices: ReadonlyArray<IncomingCall>, call: Call | undefined): ReadonlyArray<Ringing> => {
  const phone = call?.phase === "ringing" && !call.quiet ? call : undefined
  // While it is put away, taken or spoken, its notice is the same call still.
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

/** Which ringing it is: another `turn` is another call. */
export interface Followed {
  readonly turn: number
  readonly keys: ReadonlyArray<string>
}

/** The same call goes on under another name, so that it does not begin to ring anew. */
export const follow = (before: Followed, keys: ReadonlyArray<string>): Followed =>
  keys.some((key) => before.keys.includes(key))
    ? { turn: before.turn, keys: [...new Set([...before.keys, ...keys])] }
    : { turn: before.turn + 1, keys }
