import { Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { IdentityApi } from "./Api.ts"
import { keys } from "./handlers/Keys.ts"

export const handlers = HttpApiBuilder.layer(IdentityApi).pipe(Layer.provide(keys))
