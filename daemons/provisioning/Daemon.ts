import * as Daemon from "#core/daemon/Daemon.ts"
import { bookings } from "./bookings/Feature.ts"
import { catalog } from "./catalog/Feature.ts"
import { devicePages } from "./device-pages/Feature.ts"
import { devices } from "./devices/Feature.ts"
import { linkMail } from "./link-mail/Feature.ts"
import { people } from "./people/Feature.ts"
import { retrieval } from "./retrieval/Feature.ts"
import { tokens } from "./tokens/Feature.ts"
import "./ProblemTexts.ts"

/** Sets up devices of users by one-time links. */
export const provisioning = Daemon.make({
  name: "provisioning",
  title: "Provisioning",
  description: "One-time links that set up the devices of users; the services that tenants have booked",
  port: 8109,
  features: [catalog, bookings, people, tokens, linkMail, devices, devicePages, retrieval]
})
