import { Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as Feature from "#core/daemon/Feature.ts"
import { MailServer } from "../domains/Exports.ts"
import { AutoconfigApi } from "./Api.ts"
import { autoconfig as handlers } from "./Handlers.ts"

/** Automatic configuration of mail programs. */
export const autoconfig = Feature.make({
  api: AutoconfigApi,
  layer: HttpApiBuilder.layer(AutoconfigApi).pipe(Layer.provide(handlers), Layer.provide(MailServer.layer))
})
