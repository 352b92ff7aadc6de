import { Effect, Layer } from "effect"
import { MessengerCode } from "#core/contracts/Messenger.ts"
import { sealedKeys } from "#core/auth/Signer.ts"
import * as SigningKeys from "#core/auth/SigningKeys.ts"
import * as Legacy from "#core/daemon/Legacy.ts"
import { settings } from "#core/config/Environment.ts"
import type { ActorSpec } from "#core/supervision/Supervisor.ts"
import { components } from "./Components.ts"
import { identitySettings } from "./Config.ts"
import { IdentityApi } from "./Api.ts"
import { handlers } from "./Handlers.ts"
import * as CodeSender from "./factors/CodeSender.ts"
import * as Enrolment from "./factors/Enrolment.ts"
import { issuerOf, offersMessenger } from "./factors/FactorSettings.ts"
import * as RecentProof from "./factors/RecentProof.ts"
import { sealedRecoveryCodes } from "./factors/RecoveryCodeStore.ts"
import * as SecondFactors from "./factors/SecondFactors.ts"
import { sealedTotp } from "./factors/TotpStore.ts"
import { oidcConflicts, providersOf } from "./federation/OidcSettings.ts"
import * as Providers from "./federation/Providers.ts"
import * as PublicBase from "./federation/PublicBase.ts"
import * as FirstAdmin from "./links/FirstAdmin.ts"
import * as PasswordChange from "./login/PasswordChange.ts"
import * as SignIn from "./login/SignIn.ts"
import * as Tries from "./login/Tries.ts"
import * as Introspection from "./mail/Introspection.ts"
import * as MailAccounts from "./mail/MailAccounts.ts"
import * as MailTokens from "./mail/MailTokens.ts"
import { users } from "./migrations/0001_users.ts"
import { sessions } from "./migrations/0002_sessions.ts"
import { factors } from "./migrations/0003_factors.ts"
import { federation } from "./migrations/0004_federation.ts"
import { mailAccounts } from "./migrations/0005_mail_accounts.ts"
import { keysMoved } from "./migrations/0006_keys_moved.ts"
import { telling } from "./migrations/0007_telling.ts"
import * as Passwords from "#core/password/Passwords.ts"
import * as Refusals from "./Refusals.ts"
import * as Sessions from "./sessions/Sessions.ts"
import { sweepActor } from "./sessions/Sweep.ts"
import { tellingActor } from "./telling/Telling.ts"
import * as Throttle from "./throttle/Throttle.ts"

const services = Layer.unwrap(
  Effect.gen(function* () {
    const config = yield* settings(identitySettings)
    const ground = Layer.mergeAll(Refusals.layer, SigningKeys.layer(config.keyDays), MailAccounts.layer)
    const parts = Layer.mergeAll(
      Sessions.layer({ access: config.accessTtl, session: config.sessionTtl }),
      MailTokens.layer,
      Introspection.layer(config.introspectionRanges),
      Providers.layer(providersOf(config)),
      PublicBase.layer(config.publicUrl),
      Passwords.layer,
      Layer.provideMerge(
        Tries.layer,
        Throttle.layer({
          window: config.throttleWindow,
          perAccount: config.throttleMax,
          perAddress: config.throttleMax
        })
      ),
      SecondFactors.layer.pipe(Layer.provideMerge(CodeSender.layer(issuerOf(config.publicUrl))))
    ).pipe(Layer.provideMerge(ground))
    const enrolment = Enrolment.layer({ issuer: issuerOf(config.publicUrl), messenger: offersMessenger(config) }).pipe(
      Layer.provide(RecentProof.layer)
    )
    return Layer.mergeAll(SignIn.layer, PasswordChange.layer, enrolment).pipe(Layer.provideMerge(parts))
  })
)

/** Who people and programs are, and what they may. */
export const identity = Legacy.make({
  name: "identity",
  title: "Sign-in, users and tokens",
  port: 8101,
  settings: identitySettings,
  conflicts: oidcConflicts,
  migrations: { schema: "identity", steps: [users, sessions, factors, federation, mailAccounts, keysMoved, telling] },
  queues: [MessengerCode.queue],
  sealed: [sealedKeys, sealedTotp, sealedRecoveryCodes],
  routes: [
    { prefix: "/api/v1/auth" },
    { prefix: "/api/v1/auth/token/introspect", rateLimited: false },
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
  actors: Effect.map(
    Effect.all([SigningKeys.SigningKeys, MailAccounts.MailAccounts]),
    ([keys, accounts]): ReadonlyArray<ActorSpec<any>> => [keys.actor, accounts.actor, sweepActor, tellingActor]
  ),
  components,
  greeting: (base) =>
    Effect.flatMap(Effect.orDie(settings(identitySettings)), ({ adminEmail, publicUrl }) =>
      FirstAdmin.greeting({ emails: adminEmail, base: publicUrl ?? base })
    ),
  fastLane: Effect.map(
    Introspection.Introspection,
    ({ handle }) => new Map([["POST /api/v1/auth/token/introspect", handle]])
  )
})
