import * as Daemon from "#core/daemon/Daemon.ts"
import { calls } from "./calls/Feature.ts"
import { customers } from "./customers/Feature.ts"
import { devices } from "./devices/Feature.ts"
import { directory } from "./directory/Feature.ts"
import { routing } from "./routing/Feature.ts"
import { softphoneSocket } from "./softphone-socket/Feature.ts"
import { switchConfiguration } from "./switch/Feature.ts"
import "./HealthTexts.ts"
import "./ProblemTexts.ts"

/** Manages telephony data, serves the telephone switch, and keeps customers and calls. */
export const sipConfig = Daemon.make({
  name: "sip-config",
  title: "Telephony",
  description: "Extensions, lines, numbers and groups for the telephone switch; customers and calls",
  port: 8106,
  features: [directory, customers, routing, switchConfiguration, calls, softphoneSocket, devices]
})
