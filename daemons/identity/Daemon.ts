import * as Daemon from "#core/daemon/Daemon.ts"
import { auditLog } from "./audit-log/Feature.ts"
import { deviceLogin } from "./device-login/Feature.ts"
import { factors } from "./factors/Feature.ts"
import { federation } from "./federation/Feature.ts"
import { mailLogin } from "./mail-login/Feature.ts"
import { platformSettings } from "./platform-settings/Feature.ts"
import { preferences } from "./preferences/Feature.ts"
import { serviceTokens } from "./service-tokens/Feature.ts"
import { sessions } from "./sessions/Feature.ts"
import { setup } from "./setup/Feature.ts"
import { signIn } from "./sign-in/Feature.ts"
import { signingKeys } from "./signing-keys/Feature.ts"
import { users } from "./users/Feature.ts"
import "./HealthTexts.ts"
import "./ProblemTexts.ts"

/** Signs users in, and manages users, tenants, roles and service tokens. */
export const identity = Daemon.make({
  name: "identity",
  title: "Sign-in, users and tokens",
  description:
    "Sign-in, tokens, users, tenants, service tokens, audit log, and token introspection for the mail server",
  port: 8101,
  showsAll: true,
  features: [
    signingKeys,
    sessions,
    signIn,
    factors,
    mailLogin,
    federation,
    users,
    serviceTokens,
    auditLog,
    preferences,
    deviceLogin,
    platformSettings,
    setup
  ]
})
