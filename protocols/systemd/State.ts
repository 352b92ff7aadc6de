/**
 * Messages from a service to systemd and their encoding: one `KEY=value` per line. Pure; sends nothing. Source:
 * sd_notify(3), "Well-known assignments".
 */
import { Duration } from "effect"

export type State =
  /** Start-up is complete; units ordered after this one may start. */
  | { readonly _tag: "Ready" }
  /** Shutdown has begun. */
  | { readonly _tag: "Stopping" }
  /** Watchdog message, due within WATCHDOG_USEC. */
  | { readonly _tag: "Watchdog" }
  /** One line for `systemctl status`. */
  | { readonly _tag: "Status"; readonly text: string }
  /** Start, run or stop may take this much longer, counted from now. */
  | { readonly _tag: "ExtendTimeout"; readonly by: Duration.Duration }

export const ready: State = { _tag: "Ready" }
export const stopping: State = { _tag: "Stopping" }
export const watchdog: State = { _tag: "Watchdog" }
export const status = (text: string): State => ({ _tag: "Status", text })
export const extendTimeout = (by: Duration.Input): State => ({
  _tag: "ExtendTimeout",
  by: Duration.fromInputUnsafe(by)
})

/** Longest status line. Unit: bytes of UTF-8. Reason: it is shown as one line; a datagram could hold far more. */
export const maxStatusBytes = 512

/** One assignment. It never contains a line break, because a second line would be a second assignment. */
export const encode = (state: State): string => {
  switch (state._tag) {
    case "Ready":
      return "READY=1"
    case "Stopping":
      return "STOPPING=1"
    case "Watchdog":
      return "WATCHDOG=1"
    case "Status":
      return `STATUS=${oneLine(state.text)}`
    case "ExtendTimeout":
      return `EXTEND_TIMEOUT_USEC=${Math.max(1, Math.round(Duration.toMillis(state.by) * 1000))}`
  }
}

/** Replaces control characters with spaces and unpaired surrogates with U+FFFD; cuts between two characters. */
const oneLine = (text: string): string => {
  // oxlint-disable-next-line no-control-regex -- control characters are exactly what is removed
  const clean = text
    .toWellFormed()
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ")
    .trim()
  if (Buffer.byteLength(clean) <= maxStatusBytes) return clean
  const cut = new TextDecoder().decode(Buffer.from(clean).subarray(0, maxStatusBytes), { stream: true })
  return cut.trimEnd()
}
