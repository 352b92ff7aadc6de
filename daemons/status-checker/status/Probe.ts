/** What can be asked about a component, and what came of it. */

export type Probe =
  /** Good when the answer has one of `expect` (default: 200 to 399) and, where `contains` is given, holds that text. */
  | {
      readonly kind: "http"
      readonly url: string
      readonly expect: ReadonlyArray<number> | null
      readonly contains: string | null
    }
  /** Good when a connection stands. */
  | { readonly kind: "tcp"; readonly host: string; readonly port: number }
  /** Good when a verified TLS connection stands; degraded when the certificate ends within `days`. */
  | {
      readonly kind: "tls"
      readonly host: string
      readonly port: number
      readonly servername: string | null
      readonly days: number
    }
  /**
   * Good when `server` (null: the system's resolvers) answers with records of `type`, and with each of `expect` where
   * given.
   */
  | {
      readonly kind: "dns"
      readonly name: string
      readonly type: "A" | "AAAA" | "MX" | "TXT" | "NS" | "CNAME"
      readonly server: string | null
      readonly expect: ReadonlyArray<string> | null
    }

/** `unknown`: it could not be asked, for a reason on our side; it counts neither way. */
export type Outcome = "up" | "degraded" | "down" | "unknown"

export interface ProbeResult {
  /** `container`, or the probe's kind. */
  readonly kind: string
  readonly outcome: Outcome
  /** For operators, never on the page. */
  readonly detail: string
}
