import { HttpApiBuilder } from "effect/http-api"
import { StatusCheckerApi } from "./Api.ts"

export const handlers = HttpApiBuilder.layer(StatusCheckerApi)
