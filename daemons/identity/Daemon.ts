import { Effect, Layer } from "effect"
import * as Daemon from "#core/Daemon.ts"
import { settings } from "#core/Environment.ts"
import type { ActorSpec } from "#core/Supervisor.ts"
import { identitySettings } from "./Config.ts"
import { IdentityApi } from "./Api.ts"
import { handlers } from "./Handlers.ts"
import { users } from "./migrations/0001_users.ts"
import { sessions } from "./migrations/0002_sessions.ts"
import { factors } from "./migrations/0003_factors.ts"
import { federation } from "./migrations/0004_federation.ts"
import { mailAccounts } from "./migrations/0005_mail_accounts.ts"
import * as Refusals from "./Refusals.ts"
import * as Sessions from "./sessions/Sessions.ts"
import * as SigningKeys from "./sessions/SigningKeys.ts"

const services = Layer.unwrap(Effect.gen(function*() {
  const config = yield* settings(identitySettings)
  const ground = Layer.mergeAll(Refusals.layer, SigningKeys.layer(config.keyDays))
  return Sessions.layer({ access: config.accessTtl, session: config.sessionTtl }).pipe(Layer.provideMerge(ground))
}))

/** Who people and programs are, and what they may. */
export const identity = Daemon.make({
  name: "identity",
  title: "Sign-in, users and tokens",
  port: 8101,
  settings: identitySettings,
  migrations: { schema: "identity", steps: [users, sessions, factors, federation, mailAccounts] },
  queues: [],
  sealed: [SigningKeys.sealedKeys],
  routes: [
    { prefix: "/api/v1/auth" },
    { prefix: "/.well-known/jwks.json" },
    { prefix: "/api/v1/users", authenticated: true },
    { prefix: "/api/v1/tenants", authenticated: true },
    { prefix: "/api/v1/roles", authenticated: true },
    { prefix: "/api/v1/service-tokens", authenticated: true },
    { prefix: "/api/v1/audit", authenticated: true },
    { prefix: "/api/v1/settings/preferences", authenticated: true }
  ],
  api: IdentityApi,
  http: handlers,
  services,
  actors: Effect.map(SigningKeys.SigningKeys, ({ actor }): ReadonlyArray<ActorSpec<any>> => [actor])
})
