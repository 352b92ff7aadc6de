import { Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { IdentityApi } from "./Api.ts"
import { auth } from "./handlers/Auth.ts"
import { factors } from "./handlers/Factors.ts"
import { federation } from "./handlers/Federation.ts"
import { keys } from "./handlers/Keys.ts"
import { linked } from "./handlers/LinkedProviders.ts"
import { introspection, mailTokens } from "./handlers/MailOAuth.ts"
import { management } from "./handlers/Management.ts"
import { signIn } from "./handlers/SignIn.ts"
import * as SignOutByCookie from "./sessions/SignOutByCookie.ts"

export const handlers = HttpApiBuilder.layer(IdentityApi).pipe(
  Layer.provide([keys, signIn, auth, factors, mailTokens, introspection, federation, linked, management]),
  Layer.provide(SignOutByCookie.layer)
)
