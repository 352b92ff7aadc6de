import * as Daemon from "#core/daemon/Daemon.ts"
import { checks } from "./checks/Feature.ts"
import { components } from "./components/Feature.ts"
import { imports } from "./imports/Feature.ts"
import { incidents } from "./incidents/Feature.ts"
import { maintenance } from "./maintenance/Feature.ts"
import { overview } from "./overview/Feature.ts"
import { proposals } from "./proposals/Feature.ts"
import { publication } from "./publication/Feature.ts"
import { port } from "./status/Settings.ts"
import { statusFileReader } from "./status-files/Feature.ts"
import { subscriptions } from "./subscriptions/Feature.ts"
import "./HealthTexts.ts"
import "./ProblemTexts.ts"

/** The public status page. */
export const statusChecker = Daemon.make({
  name: "status-checker",
  title: "Status page",
  description: "The public status page: what works, what does not, and what is done about it",
  // Source: interface document 3 §9.
  version: "2.7.0",
  port,
  ownPort: true,
  features: [
    statusFileReader,
    imports,
    publication,
    checks,
    components,
    subscriptions,
    incidents,
    maintenance,
    proposals,
    overview
  ]
})
