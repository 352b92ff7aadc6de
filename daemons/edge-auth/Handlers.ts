import { Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { EdgeAuthApi } from "./Api.ts"
import { door } from "./handlers/Door.ts"
import { panel } from "./handlers/Panel.ts"

export const handlers = HttpApiBuilder.layer(EdgeAuthApi).pipe(Layer.provide([door, panel]))
