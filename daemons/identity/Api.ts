import { OpenApi } from "effect/http-api"
import * as Api from "#core/http/Api.ts"
import { auditLog } from "./api/AuditLog.ts"
import { auth } from "./api/Auth.ts"
import { factors } from "./api/Factors.ts"
import { federation, linked } from "./api/Federation.ts"
import { keys } from "./api/Keys.ts"
import { introspection, mailTokens } from "./api/MailOAuth.ts"
import { preferences } from "./api/Preferences.ts"
import { serviceTokens } from "./api/ServiceTokens.ts"
import { signIn } from "./api/SignIn.ts"
import { tenants } from "./api/Tenants.ts"
import { rolesGroup, users } from "./api/Users.ts"

/** Everything identity answers. */
export const IdentityApi = Api.make("identity")
  .add(keys)
  .add(signIn)
  .add(auth)
  .add(factors)
  .add(mailTokens)
  .add(introspection)
  .add(federation)
  .add(linked)
  .add(users)
  .add(rolesGroup)
  .add(tenants)
  .add(serviceTokens)
  .add(auditLog)
  .add(preferences)
  .annotateMerge(
    OpenApi.annotations({
      title: "identity",
      description: "Sign-in, tokens, users, tenants, service tokens, the audit log, and what a mail server asks"
    })
  )
