import { Effect, Layer } from "effect"
import * as Legacy from "#core/daemon/Legacy.ts"
import { settings } from "#core/config/Environment.ts"
import { SipConfigApi } from "./Api.ts"
import * as BanWatch from "./calls/BanWatch.ts"
import * as SwitchWatch from "./calls/SwitchWatch.ts"
import { sipConfigSettings } from "./Config.ts"
import { ImportCustomers, maxFile } from "./customers/Imports.ts"
import { importWorker } from "./customers/ImportWorker.ts"
import * as Credentials from "./data/Credentials.ts"
import { handlers } from "./Handlers.ts"
import { telephony } from "./migrations/0001_telephony.ts"
import { customers } from "./migrations/0002_customers.ts"
import { theSwitch } from "./migrations/0003_switch.ts"
import { callNumbers } from "./migrations/0004_call_numbers.ts"
import * as SipSettings from "./SipSettings.ts"
import * as Picture from "./switch/Picture.ts"
import * as SwitchLane from "./switch/SwitchLane.ts"
import { switchOptions } from "./switch/SwitchOptions.ts"
import * as AbuseReport from "./websocket/AbuseReport.ts"
import { sipPath } from "./websocket/Handshake.ts"
import { SipSocket, layer as sipSocketLayer } from "./websocket/SipSocket.ts"

const services = Layer.unwrap(
  Effect.map(settings(sipConfigSettings), (config) =>
    Layer.mergeAll(
      SipSettings.layer(config),
      SwitchWatch.layer(config),
      sipSocketLayer({ switchUrl: config.sipWsUrl, origins: config.sipWsOrigins }).pipe(
        Layer.provide(AbuseReport.layer),
        Layer.provideMerge(BanWatch.layer(config.sipBanExempt))
      ),
      Credentials.layer,
      SwitchLane.layer(switchOptions(config)).pipe(Layer.provideMerge(Picture.layer(config.switchStaleFor)))
    )
  )
)

/** Telephony data, what the switch pulls, customers and calls. */
export const sipConfig = Legacy.make({
  name: "sip-config",
  title: "Telephony",
  port: 8106,
  settings: sipConfigSettings,
  migrations: { schema: "sip_config", steps: [telephony, customers, theSwitch, callNumbers] },
  queues: [ImportCustomers.queue],
  sealed: [Credentials.sealedExtensions, Credentials.sealedTrunks, Credentials.sealedPins],
  routes: [
    { prefix: "/api/v1/sip", authenticated: true },
    { prefix: "/api/v1/crm/customers", authenticated: true },
    { prefix: "/api/v1/crm/customers/imports", authenticated: true, maxBody: maxFile },
    { prefix: "/switch/xml", rateLimited: false },
    { prefix: sipPath }
  ],
  api: SipConfigApi,
  http: handlers,
  services,
  actors: Effect.gen(function* () {
    const { country } = yield* SipSettings.SipSettings
    return [
      yield* importWorker(country),
      (yield* Picture.Picture).actor,
      (yield* BanWatch.BanWatch).actor,
      (yield* SipSocket).actor,
      ...(yield* SwitchWatch.SwitchWatch).actors
    ]
  }),
  components: Effect.gen(function* () {
    return {
      switch_picture: (yield* Picture.Picture).component(),
      telephone_switch: yield* (yield* SwitchWatch.SwitchWatch).component,
      sip_websocket: (yield* SipSocket).component()
    }
  }),
  upgradePath: sipPath,
  upgrade: Effect.map(SipSocket, ({ upgrade }) => upgrade),
  fastLane: Effect.map(SwitchLane.SwitchLane, ({ handle }) => new Map([[SwitchLane.switchLane, handle]]))
})
