import { Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { NotificationWanted } from "#core/contracts/Notifications.ts"
import * as Feature from "#core/daemon/Feature.ts"
import { publicUrl } from "#core/http/PublicBase.ts"
import { Supervisor } from "#core/supervision/Supervisor.ts"
import { abandoned } from "./Abandoned.ts"
import { RetrievalApi } from "./Api.ts"
import { myServices, retrieval as handlers } from "./Handlers.ts"

/** The public link that sets a device up, and the services of the calling user. */
export const retrieval = Feature.make({
  settings: { publicUrl },
  queues: [NotificationWanted],
  api: RetrievalApi,
  layer: Layer.merge(
    HttpApiBuilder.layer(RetrievalApi).pipe(Layer.provide([handlers, myServices])),
    Layer.effectDiscard(Supervisor.actor(abandoned))
  )
})
