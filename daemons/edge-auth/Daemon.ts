import * as Daemon from "#core/daemon/Daemon.ts"
import { accounts } from "./accounts/Feature.ts"
import { edgePort } from "./edge/EdgeSettings.ts"
import { handoff } from "./handoff/Feature.ts"
import { imports } from "./imports/Feature.ts"
import { panel } from "./panel/Feature.ts"
import { signIn } from "./sign-in/Feature.ts"
import { verify } from "./verify/Feature.ts"

/** The door before other services: forward authentication for the reverse proxy. */
export const edgeAuth = Daemon.make({
  name: "edge-auth",
  title: "Forward authentication",
  description: "The door before other services: who may pass, and where people sign in",
  port: edgePort,
  ownPort: true,
  features: [verify, signIn, handoff, panel, accounts, imports]
})
