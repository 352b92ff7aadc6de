/** One tab of a browser has the softphone: else a call would ring in each. Source: Web Locks API (W3C). */

const name = "signalbox softphone"

export interface Turn {
  /** Another tab has it; this one waits. */
  readonly taken: () => void
  /** It is this tab's, at once or when the other one is gone. */
  readonly ours: () => void
}

/** Answers what gives it back, or ends the waiting. Browsers without locks have it in every tab. */
export const takeTurn = ({ ours, taken }: Turn): (() => void) => {
  if (navigator.locks === undefined) {
    ours()
    return () => undefined
  }
  const waiting = new AbortController()
  const over = new Promise<void>((resolve) => waiting.signal.addEventListener("abort", () => resolve()))
  const hold = () => {
    if (!waiting.signal.aborted) ours()
    return over
  }
  const wait = (lock: Lock | null) => {
    if (lock !== null) return hold()
    if (waiting.signal.aborted) return undefined
    taken()
    // What was aborted is no error here.
    navigator.locks.request(name, { signal: waiting.signal }, hold).catch(() => undefined)
    return undefined
  }
  navigator.locks.request(name, { ifAvailable: true }, wait).catch(() => undefined)
  return () => waiting.abort()
}
