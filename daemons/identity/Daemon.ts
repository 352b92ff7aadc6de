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
import { issuerOf, offersMessenger } from "./factors/Settings.ts"
import * as RecentProof from "./factors/RecentProof.ts"
import { sealedRecoveryCodes } from "./factors/RecoveryCodeStore.ts"
import * as SecondFactors from "./factors/SecondFactors.ts"
import { sealedTotp } from "./factors/TotpStore.ts"
import { oidcConflicts, providersOf } from "./federation/Settings.ts"
import * as Providers from "./federation/Providers.ts"
import * as PublicBase from "./sessions/PublicBase.ts"
import * as FirstAdmin from "./sign-in/FirstAdmin.ts"
import * as PasswordChange from "./sign-in/PasswordChange.ts"
import * as SignIn from "./sign-in/SignIn.ts"
import * as CredentialAttempts from "./sessions/throttle/CredentialAttempts.ts"
import * as Introspection from "./mail-login/Introspection.ts"
import * as MailAccountsProjection from "./mail-login/MailAccountsProjection.ts"
import * as MailTokens from "./mail-login/MailTokens.ts"
import { users } from "./users/migrations/0001_users.ts"
import { sessions } from "./sessions/migrations/0002_sessions.ts"
import { factors } from "./factors/migrations/0003_factors.ts"
import { federation } from "./federation/migrations/0004_federation.ts"
import { mailAccounts } from "./mail-login/migrations/0005_mail_accounts.ts"
import { keysMoved } from "./signing-keys/migrations/0006_keys_moved.ts"
import { telling } from "./directory-replay/migrations/0007_telling.ts"
import * as Passwords from "#core/password/Passwords.ts"
import * as AccessRefusals from "./sessions/AccessRefusals.ts"
import * as Sessions from "./sessions/Sessions.ts"
import { sweepActor } from "./sessions/SessionSweep.ts"
import { replayActor } from "./directory-replay/DirectoryReplay.ts"
import * as Throttle from "./sessions/throttle/Throttle.ts"

const services = Layer.unwrap(
  Effect.gen(function* () {
    const config = yield* settings(identitySettings)
    const ground = Layer.mergeAll(AccessRefusals.layer, SigningKeys.layer(config.keyDays), MailAccountsProjection.layer)
    const parts = Layer.mergeAll(
      Sessions.layer({ access: config.accessTtl, session: config.sessionTtl }),
      MailTokens.layer,
      Introspection.layer(config.introspectionRanges),
      Providers.layer(providersOf(config)),
      PublicBase.layer(config.publicUrl),
      Passwords.layer,
      Layer.provideMerge(
        CredentialAttempts.layer,
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
    Effect.all([SigningKeys.SigningKeys, MailAccountsProjection.MailAccountsProjection]),
    ([keys, accounts]): ReadonlyArray<ActorSpec<any>> => [keys.actor, accounts.actor, sweepActor, replayActor]
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
