import { Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { CommApi } from "./Api.ts"
import { comm } from "./alarms/Handlers.ts"
import { events } from "./event-socket/Handlers.ts"
import { notifications } from "./notifications/Handlers.ts"
import { push } from "./notifications/push/Handlers.ts"
import { workflows } from "./workflows/Handlers.ts"

export const handlers = HttpApiBuilder.layer(CommApi).pipe(
  Layer.provide(workflows),
  Layer.provide(comm),
  Layer.provide(notifications),
  Layer.provide(push),
  Layer.provide(events)
)
