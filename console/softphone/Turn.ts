/**
 * Ensures that only one tab of a browser runs the softphone; otherwise a call would ring in each tab. Source: Web Locks
 * API (W3C).
 */

const name = "signalbox softphone"

export interface Turn {
  /** Another tab runs the phone, and this tab waits. */
  readonly taken: () => void
  /** This tab may run the phone: at once, or after the other tab released it. */
  readonly ours: () => void
}

/**
 * Requests the lock. Returns a function that releases the lock or stops waiting. Browsers without locks run the phone
 * in every tab.
 */
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
    // An aborted request is not an error.
    navigator.locks.request(name, { signal: waiting.signal }, hold).catch(() => undefined)
    return undefined
  }
  navigator.locks.request(name, { ifAvailable: true }, wait).catch(() => undefined)
  return () => waiting.abort()
}
