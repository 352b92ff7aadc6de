/** Where SIP over WebSocket tells of addresses that abuse it; whoever bans puts itself in the place of the layer that only logs. */
import { Context, Effect, Layer } from "effect"

export interface Abuse {
  /** What a ban is called and how long it lasts: `sip-websocket-abuse` an hour, `sip-brute-force` 24 hours. */
  readonly scenario: "sip-websocket-abuse" | "sip-brute-force"
  /** The client's address, as a trusted proxy says it. */
  readonly address: string
  /** How often within five minutes. */
  readonly count: number
}

export class AbuseReport extends Context.Service<AbuseReport, {
  readonly report: (abuse: Abuse) => Effect.Effect<void>
}>()("signalbox/sip-config/AbuseReport") {}

export const layerLog: Layer.Layer<AbuseReport> = Layer.succeed(
  AbuseReport,
  AbuseReport.of({ report: ({ address, count, scenario }) => Effect.logWarning(`${scenario} from ${address}: ${count} times in five minutes`) })
)
