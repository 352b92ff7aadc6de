import { Effect, Layer } from "effect"
import * as Daemon from "#core/Daemon.ts"
import { SipConfigApi } from "./Api.ts"
import { sipConfigSettings } from "./Config.ts"
import { handlers } from "./Handlers.ts"
import { telephony } from "./migrations/0001_telephony.ts"
import { customers } from "./migrations/0002_customers.ts"

/** Telephony data, what the switch pulls, customers and calls. */
export const sipConfig = Daemon.make({
  name: "sip-config",
  title: "Telephony",
  port: 8106,
  settings: sipConfigSettings,
  migrations: { schema: "sip_config", steps: [telephony, customers] },
  queues: [],
  routes: [
    { prefix: "/api/v1/sip", authenticated: true },
    { prefix: "/api/v1/crm/customers", authenticated: true },
    { prefix: "/switch/xml", rateLimited: false }
  ],
  api: SipConfigApi,
  http: handlers,
  services: Layer.empty,
  actors: Effect.succeed([])
})
