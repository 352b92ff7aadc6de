/** Reports offences of clients of the WebSocket proxy. The ban watch counts them. */
import { Context, Effect, Layer } from "effect"
import { BanWatch, sipBruteForce, websocketAbuse } from "../calls/Exports.ts"

/**
 * `sip-websocket-abuse`: a bad upgrade request, a bad message, or too many of them. `sip-brute-force`: a wrong
 * password, concluded from the switch's response.
 */
export type Offence = "sip-websocket-abuse" | "sip-brute-force"

export class AbuseReport extends Context.Service<
  AbuseReport,
  {
    /** Reports one offence at the current time. `address`: address of the client, as a trusted proxy reports it. */
    readonly offend: (offence: Offence, address: string) => void
  }
>()("signalbox/sip-config/AbuseReport") {}

/** Passes the offences to the ban watch of the feature calls, which also counts offences at the switch itself. */
export const layer: Layer.Layer<AbuseReport, never, BanWatch> = Layer.effect(
  AbuseReport,
  Effect.map(BanWatch, (watch) =>
    AbuseReport.of({
      offend: (offence, address) =>
        watch.offend(offence === "sip-brute-force" ? sipBruteForce : websocketAbuse, address)
    })
  )
)
