import { Effect, Layer } from "effect"
import { settings } from "#core/config/Environment.ts"
import * as Feature from "#core/daemon/Feature.ts"
import { watchedBans } from "../calls/Exports.ts"
import * as AbuseReport from "./AbuseReport.ts"
import { sipPath } from "./Handshake.ts"
import * as SipSocket from "./SipSocket.ts"
import { socketSettings } from "./SocketSettings.ts"

/** Feature: proxy for SIP over WebSocket, used by softphones in browsers. */
export const softphoneSocket = Feature.make({
  settings: socketSettings,
  routes: [{ prefix: sipPath }],
  layer: Layer.unwrap(
    Effect.map(settings(socketSettings), ({ sipWsOrigins: origins, sipWsUrl: switchUrl }) =>
      SipSocket.layer({ switchUrl, origins })
    )
  ).pipe(Layer.provide(AbuseReport.layer), Layer.provide(watchedBans))
})
