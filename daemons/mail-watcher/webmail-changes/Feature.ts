import { Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as Feature from "#core/daemon/Feature.ts"
import { mailSessions } from "../accounts/Exports.ts"
import { WebmailChangesApi } from "./Api.ts"
import { folderChanges } from "./folders/Handlers.ts"
import { changes } from "./Handlers.ts"

/** Changes of messages (move, delete, flags) and of folders. */
export const webmailChanges = Feature.make({
  api: WebmailChangesApi,
  layer: HttpApiBuilder.layer(WebmailChangesApi).pipe(
    Layer.provide([changes, folderChanges]),
    Layer.provide(mailSessions)
  )
})
