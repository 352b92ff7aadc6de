import { OpenApi } from "effect/http-api"
import * as Api from "#core/http/Api.ts"
import { auditLog } from "./audit-log/Api.ts"
import { auth } from "./sign-in/own-account/Api.ts"
import { factors } from "./factors/Api.ts"
import { federation, linked } from "./federation/Api.ts"
import { keys } from "./signing-keys/Api.ts"
import { introspection, mailTokens } from "./mail-login/Api.ts"
import { preferences } from "./preferences/Api.ts"
import { serviceTokens } from "./service-tokens/Api.ts"
import { signIn } from "./sign-in/Api.ts"
import { tenants } from "./users/tenants/Api.ts"
import { rolesGroup, users } from "./users/Api.ts"

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
