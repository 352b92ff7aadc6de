/** Result of a probe of another party's service. */

/** `unknown`: the probe failed for a reason on this host; it counts neither as up nor as down. */
export type Outcome = "up" | "degraded" | "down" | "unknown"

export interface ProbeResult {
  /** Kind of the probe: `http`, `tcp`, `tls`. */
  readonly kind: string
  readonly outcome: Outcome
  /** Detail for operators; contains no received data. */
  readonly detail: string
}
