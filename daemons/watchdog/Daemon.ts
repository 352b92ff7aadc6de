import * as Daemon from "#core/daemon/Daemon.ts"
import { alerting } from "./alerting/Feature.ts"
import { backups } from "./backups/Feature.ts"
import { bans } from "./bans/Feature.ts"
import { monitoring } from "./monitoring/Feature.ts"
import { services } from "./services/Feature.ts"
import "./HealthTexts.ts"
import "./ProblemTexts.ts"

/** Watches machines, services and our own daemons, restarts what it may, makes backups, and tells people. */
export const watchdog = Daemon.make({
  name: "watchdog",
  title: "Watchdog",
  description: "Checks machines and services, restarts them, makes backups and restores them, and lists bans",
  port: 8115,
  showsAll: true,
  features: [alerting, services, backups, bans, monitoring]
})
