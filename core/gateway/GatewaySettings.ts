/** The gateway's own variables. */
import * as Settings from "../config/Settings.ts"

export const gatewaySettings = {
  rate: Settings.integer("SIGNALBOX_GATEWAY_RATE", {
    doc: "Sustained request rate allowed for a client address",
    unit: "requests/s",
    default: 200,
    min: 1,
    max: 1_000_000
  }),
  burst: Settings.integer("SIGNALBOX_GATEWAY_BURST", {
    doc: "Burst of requests allowed for a client address",
    unit: "requests",
    default: 400,
    min: 1,
    max: 1_000_000
  })
}
