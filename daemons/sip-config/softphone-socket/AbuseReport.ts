/** Where SIP over WebSocket notes what addresses do wrong, each time. It counts nothing. */
import { Context, Effect, Layer } from "effect"
import { BanWatch, sipBruteForce, websocketAbuse } from "../calls/Exports.ts"

/**
 * `sip-websocket-abuse`: what is no upgrade, no message or too much. `sip-brute-force`: a wrong password, as the
 * switch's answer shows.
 */
export type Offence = "sip-websocket-abuse" | "sip-brute-force"

export class AbuseReport extends Context.Service<
  AbuseReport,
  {
    /** Notes one offence, just now. `address`: the client's, as a trusted proxy says it. */
    readonly offend: (offence: Offence, address: string) => void
  }
>()("signalbox/sip-config/AbuseReport") {}

/** Counted with what the switch itself tells of addresses, and banned as that. */
export const layer: Layer.Layer<AbuseReport, never, BanWatch> = Layer.effect(
  AbuseReport,
  Effect.map(BanWatch, (watch) =>
    AbuseReport.of({
      offend: (offence, address) =>
        watch.offend(offence === "sip-brute-force" ? sipBruteForce : websocketAbuse, address)
    })
  )
)
