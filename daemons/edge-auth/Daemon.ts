import * as Daemon from "#core/daemon/Daemon.ts"
import { accounts } from "./accounts/Feature.ts"
import { edgePort } from "./edge/EdgeSettings.ts"
import { handoff } from "./handoff/Feature.ts"
import { imports } from "./imports/Feature.ts"
import { management } from "./management/Feature.ts"
import { panel } from "./panel/Feature.ts"
import { signIn } from "./sign-in/Feature.ts"
import { verify } from "./verify/Feature.ts"
import "./HealthTexts.ts"
import "./ProblemTexts.ts"

/** Forward authentication for reverse proxies. */
export const edgeAuth = Daemon.make({
  name: "edge-auth",
  title: "Forward authentication",
  description: "Tells reverse proxies who may pass, and signs users in",
  port: edgePort,
  ownPort: true,
  features: [verify, signIn, handoff, panel, management, accounts, imports]
})
