import { Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as Feature from "#core/daemon/Feature.ts"
import { LinkMailApi } from "./Api.ts"
import { linkMail as handlers } from "./Handlers.ts"
import { linkMailSettings } from "./Settings.ts"

/** Sends provisioning links to their users by mail. */
export const linkMail = Feature.make({
  settings: linkMailSettings,
  api: LinkMailApi,
  layer: HttpApiBuilder.layer(LinkMailApi).pipe(Layer.provide(handlers))
})
