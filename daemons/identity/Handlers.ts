import { Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { IdentityApi } from "./Api.ts"
import { auth } from "./sign-in/own-account/Handlers.ts"
import { factors } from "./factors/Handlers.ts"
import { federation } from "./federation/Handlers.ts"
import { keys } from "./signing-keys/Handlers.ts"
import { linked } from "./federation/LinkedProviderHandlers.ts"
import { introspection, mailTokens } from "./mail-login/Handlers.ts"
import { management } from "./handlers/Management.ts"
import { signIn } from "./sign-in/Handlers.ts"
import * as SignOutByCookie from "./sessions/SignOutByCookie.ts"

export const handlers = HttpApiBuilder.layer(IdentityApi).pipe(
  Layer.provide([keys, signIn, auth, factors, mailTokens, introspection, federation, linked, management]),
  Layer.provide(SignOutByCookie.layer)
)
