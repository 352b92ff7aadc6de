/**
 * Checks whether a verified TLS connection can be established, and how long the certificate is valid. Trusts the
 * authorities of this process (built-in list, NODE_EXTRA_CA_CERTS) and of the system. Sends no application data.
 */
import { Duration, Effect } from "effect"
import { isIP } from "node:net"
import { connect, getCACertificates } from "node:tls"
import { codeOf, finding, outcomeOf } from "./Finding.ts"
import type { ProbeFound, ProbeResult } from "./ProbeResult.ts"

/** Authorities in PEM, read at the first probe: 200 KiB. */
let roots: ReadonlyArray<string> | undefined
const trusted = (): ReadonlyArray<string> =>
  (roots ??= [...new Set([...getCACertificates("default"), ...getCACertificates("system")])])

const day = 86_400_000

export interface TlsResult extends ProbeResult {
  /** Days until the certificate expires, when the connection was verified. */
  readonly daysLeft?: number
}

export interface TlsTarget {
  readonly host: string
  readonly port: number
  /** Name for SNI and for the verification; null: the host. */
  readonly servername: string | null
  /** Degraded when the certificate expires within this time. Unit: days. */
  readonly days: number
}

/** `authorities`: PEM, replaces those of this host. `now`: Unix time in milliseconds. */
export const probe = (
  { days, host, port, servername }: TlsTarget,
  timeout: Duration.Duration,
  authorities: ReadonlyArray<string> | undefined = undefined,
  now: () => number = Date.now
): Effect.Effect<TlsResult> =>
  Effect.callback<TlsResult>((resume) => {
    let left: number | undefined
    const found = (outcome: ProbeResult["outcome"], detail: string, code: ProbeFound) =>
      resume(
        Effect.succeed({ ...finding("tls", outcome, detail, code), ...(left === undefined ? {} : { daysLeft: left }) })
      )
    const expired = () => found("down", "certificate has expired", { code: "certificate_expired", values: {} })
    const name = (servername ?? host).replace(/\.$/, "")
    let isConnected = false
    const socket = connect(
      {
        host,
        port,
        servername: isIP(name) === 0 ? name : "",
        ca: [...(authorities ?? trusted())],
        rejectUnauthorized: true
      },
      () => {
        left = (Date.parse(socket.getPeerCertificate().valid_to) - now()) / day
        socket.destroy()
        if (!(left > 0)) return expired()
        const whole = Math.floor(left)
        found(
          left < days ? "degraded" : "up",
          whole === 1 ? "certificate holds for 1 more day" : `certificate holds for ${whole} more days`,
          { code: "certificate_valid", values: { days: whole } }
        )
      }
    )
    socket.once("connect", () => (isConnected = true))
    socket.on("error", (problem) => {
      const error = codeOf(problem)
      if (!isConnected) found(outcomeOf(error), `no connection: ${error}`, { code: "no_connection", values: { error } })
      else if (error === "CERT_HAS_EXPIRED") expired()
      else found("down", `no verified connection: ${error}`, { code: "not_verified", values: { error } })
    })
    socket.once("close", () => found("down", "connection was closed", { code: "connection_closed", values: {} }))
    return Effect.sync(() => socket.destroy())
  }).pipe(
    Effect.timeoutOrElse({
      duration: timeout,
      orElse: () => {
        const milliseconds = Duration.toMillis(timeout)
        const found = { code: "no_connection_in_time", values: { milliseconds } } as const
        return Effect.succeed(finding("tls", "down", `no connection within ${milliseconds} ms`, found))
      }
    })
  )
