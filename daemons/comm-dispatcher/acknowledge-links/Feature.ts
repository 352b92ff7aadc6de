import { Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as Feature from "#core/daemon/Feature.ts"
import { alarmServices } from "../alarms/Exports.ts"
import { AcknowledgeLinksApi } from "./Api.ts"
import { linkHandlers } from "./Handlers.ts"

/** Links in alarm messages, by which the reader acknowledges the alarm without a sign-in. */
export const acknowledgeLinksFeature = Feature.make({
  api: AcknowledgeLinksApi,
  layer: HttpApiBuilder.layer(AcknowledgeLinksApi).pipe(Layer.provide(linkHandlers), Layer.provide(alarmServices))
})
