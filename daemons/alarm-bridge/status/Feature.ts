import { Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as Feature from "#core/daemon/Feature.ts"
import * as BridgeState from "../intake/BridgeState.ts"
import { BridgeApi } from "./Api.ts"
import { bridge } from "./Handlers.ts"

/** Feature: state of the mailboxes and the SMTP listener, for the console. */
export const status = Feature.make({
  api: BridgeApi,
  layer: HttpApiBuilder.layer(BridgeApi).pipe(Layer.provide(bridge), Layer.provide(BridgeState.layer))
})
