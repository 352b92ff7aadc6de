/** Where SIP over WebSocket notes what addresses do wrong, each time; whoever counts and bans puts itself in the place of the layer that only logs. */
import { Context, Effect, Layer } from "effect"

/** `sip-websocket-abuse`: what is no upgrade, no message or too much. `sip-brute-force`: a wrong password, as the switch's answer shows. */
export type Offence = "sip-websocket-abuse" | "sip-brute-force"

export class AbuseReport extends Context.Service<AbuseReport, {
  /** Notes one offence, just now. `address`: the client's, as a trusted proxy says it. */
  readonly offend: (offence: Offence, address: string) => void
}>()("signalbox/sip-config/AbuseReport") {}

export const layerLog: Layer.Layer<AbuseReport> = Layer.effect(
  AbuseReport,
  Effect.map(Effect.context<never>(), (context) => {
    const run = Effect.runForkWith(context)
    return AbuseReport.of({ offend: (offence, address) => void run(Effect.logInfo(`${offence} from ${address}`)) })
  })
)
