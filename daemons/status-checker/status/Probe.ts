/** Probes of a component. */

export type Probe =
  /** Up when the status is in `expect` (default: 200 to 399) and the body contains `contains`, if given. */
  | {
      readonly kind: "http"
      readonly url: string
      readonly expect: ReadonlyArray<number> | null
      readonly contains: string | null
    }
  /** Up when a connection is established. */
  | { readonly kind: "tcp"; readonly host: string; readonly port: number }
  /** Up when a verified TLS connection is established; degraded when the certificate expires within `days`. */
  | {
      readonly kind: "tls"
      readonly host: string
      readonly port: number
      readonly servername: string | null
      readonly days: number
    }
  /**
   * Up when `server` (null: the system's resolvers) returns records of `type`, including each of `expect`, if given.
   */
  | {
      readonly kind: "dns"
      readonly name: string
      readonly type: "A" | "AAAA" | "MX" | "TXT" | "NS" | "CNAME"
      readonly server: string | null
      readonly expect: ReadonlyArray<string> | null
    }
