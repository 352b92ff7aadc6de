import { Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as Feature from "#core/daemon/Feature.ts"
import * as HtmlWorker from "#core/html/HtmlWorker.ts"
import { accountsProjection, mailSessions } from "../accounts/Exports.ts"
import { WebmailReadingApi } from "./Api.ts"
import { reading } from "./Handlers.ts"
import { registerListLane } from "./ListLane.ts"

/** Folders, messages, search, conversations and downloads. */
export const webmailReading = Feature.make({
  api: WebmailReadingApi,
  layer: Layer.merge(
    HttpApiBuilder.layer(WebmailReadingApi).pipe(Layer.provide(reading)),
    Layer.effectDiscard(registerListLane)
  ).pipe(Layer.provide([accountsProjection, mailSessions, HtmlWorker.layer]))
})
