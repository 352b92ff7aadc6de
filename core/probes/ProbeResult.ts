/** Result of a probe of another party's service. */

/** `unknown`: the probe failed for a reason on this host; it counts neither as up nor as down. */
export type Outcome = "up" | "degraded" | "down" | "unknown"

/** What the probes find, by code, for translation. `error`: a system error code. */
export interface ProbeValues {
  readonly answered: { readonly status: number }
  readonly answered_with_text: { readonly status: number }
  /** `searched_bytes`: the body was longer than what is searched; null: it was not. */
  readonly answered_without_text: { readonly status: number; readonly searched_bytes: number | null }
  readonly too_many_redirects: { readonly most: number }
  readonly bad_redirect: {}
  readonly unresolvable: { readonly error: string }
  readonly no_answer: { readonly milliseconds: number }
  readonly connection_failed: { readonly error: string }
  readonly tls_failed: { readonly error: string }
  readonly not_http: { readonly error: string }
  readonly connected: {}
  readonly no_connection: { readonly error: string }
  readonly no_connection_in_time: { readonly milliseconds: number }
  readonly certificate_valid: { readonly days: number }
  readonly certificate_expired: {}
  readonly not_verified: { readonly error: string }
  readonly connection_closed: {}
}
export type ProbeCode = keyof ProbeValues

/** A code with its values. */
export type ProbeFound = { readonly [C in ProbeCode]: { readonly code: C; readonly values: ProbeValues[C] } }[ProbeCode]

export interface ProbeResult {
  /** Kind of the probe: `http`, `tcp`, `tls`. */
  readonly kind: string
  readonly outcome: Outcome
  /** Detail for operators, in English; contains no received data. */
  readonly detail: string
  /** The same as a code, of the probes in this folder. */
  readonly found?: ProbeFound
}
