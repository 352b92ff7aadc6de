import { OpenApi } from "effect/http-api"
import * as Api from "#core/http/Api.ts"
import { keys } from "./api/Keys.ts"

/** Everything identity answers. */
export const IdentityApi = Api.make("identity")
  .add(keys)
  .annotateMerge(OpenApi.annotations({
    title: "identity",
    description: "Sign-in, tokens, users, tenants, service tokens, the audit log, and what a mail server asks"
  }))
