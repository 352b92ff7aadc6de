import { Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { CommApi } from "./Api.ts"
import { comm } from "./handlers/Comm.ts"
import { events } from "./handlers/Events.ts"
import { notifications } from "./handlers/Notifications.ts"
import { push } from "./handlers/Push.ts"
import { workflows } from "./handlers/Workflows.ts"

export const handlers = HttpApiBuilder.layer(CommApi).pipe(
  Layer.provide(workflows),
  Layer.provide(comm),
  Layer.provide(notifications),
  Layer.provide(push),
  Layer.provide(events)
)
