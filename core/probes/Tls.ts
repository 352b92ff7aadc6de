/**
 * Checks whether a verified TLS connection can be established, and how long the certificate is valid. Trusts the
 * authorities of this process (built-in list, NODE_EXTRA_CA_CERTS) and of the system. Sends no application data.
 */
import { Duration, Effect } from "effect"
import { isIP } from "node:net"
import { connect, getCACertificates } from "node:tls"
import { codeOf, finding, outcomeOf } from "./Finding.ts"
import type { ProbeResult } from "./ProbeResult.ts"

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
    const found = (outcome: ProbeResult["outcome"], detail: string) =>
      resume(Effect.succeed({ ...finding("tls", outcome, detail), ...(left === undefined ? {} : { daysLeft: left }) }))
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
        if (!(left > 0)) return found("down", "certificate has expired")
        const whole = Math.floor(left)
        found(left < days ? "degraded" : "up", `certificate holds for ${whole} more ${whole === 1 ? "day" : "days"}`)
      }
    )
    socket.once("connect", () => (isConnected = true))
    socket.on("error", (error) => {
      const code = codeOf(error)
      if (isConnected)
        found("down", code === "CERT_HAS_EXPIRED" ? "certificate has expired" : `no verified connection: ${code}`)
      else found(outcomeOf(code), `no connection: ${code}`)
    })
    socket.once("close", () => found("down", "connection was closed"))
    return Effect.sync(() => socket.destroy())
  }).pipe(
    Effect.timeoutOrElse({
      duration: timeout,
      orElse: () => Effect.succeed(finding("tls", "down", `no connection within ${Duration.toMillis(timeout)} ms`))
    })
  )
