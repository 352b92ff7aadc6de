import { OpenApi } from "effect/http-api"
import * as Api from "#core/http/Api.ts"
import { auth } from "./api/Auth.ts"
import { keys } from "./api/Keys.ts"
import { introspection, mailTokens } from "./api/MailOAuth.ts"
import { signIn } from "./api/SignIn.ts"

/** Everything identity answers. */
export const IdentityApi = Api.make("identity")
  .add(keys)
  .add(signIn)
  .add(auth)
  .add(mailTokens)
  .add(introspection)
  .annotateMerge(OpenApi.annotations({
    title: "identity",
    description: "Sign-in, tokens, users, tenants, service tokens, the audit log, and what a mail server asks"
  }))
