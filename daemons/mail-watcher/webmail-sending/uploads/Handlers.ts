import { Effect } from "effect"
import { HttpServerError } from "effect/http"
import * as Handlers from "#core/http/Handlers.ts"
import { NotFound, orUnavailable } from "#core/http/Problem.ts"
import { accountOf } from "../../accounts/Exports.ts"
import { contentId } from "../ComposeMail.ts"
import type { UploadView } from "./Api.ts"
import * as Uploads from "./Store.ts"
import { fileName, mediaType } from "./UploadName.ts"
import { WebmailSendingApi } from "../Api.ts"

const view = ({ created_at, ...upload }: Uploads.Upload): typeof UploadView.Type => ({
  ...upload,
  content_id: contentId(upload.id),
  created_at: created_at.toISOString(),
  expires_at: new Date(created_at.getTime() + Uploads.uploadHours * 3_600_000).toISOString()
})

export const uploads = Handlers.group(WebmailSendingApi, "webmailUploads", (handlers) =>
  handlers
    .handle(
      "list",
      Effect.fnUntraced(function* ({ query }) {
        const found = yield* orUnavailable(Effect.flatMap(accountOf(query.account), Uploads.list))
        return { items: found.map(view) }
      })
    )
    .handleRaw(
      "create",
      Effect.fnUntraced(function* ({ query, request }) {
        const account = yield* orUnavailable(accountOf(query.account))
        const { headers } = request
        const file = {
          name: fileName(query.name, headers["content-disposition"]),
          content_type: mediaType(headers["content-type"])
        }
        const length = Number(headers["content-length"])
        const body = request.stream
        const kept = yield* orUnavailable(
          Uploads.receive(account, file, Number.isSafeInteger(length) ? length : undefined, body)
        ).pipe(
          // The client disconnected during the upload, so nobody reads an answer.
          Effect.catchIf(HttpServerError.isHttpServerError, (error) => Effect.die(error))
        )
        return view(kept)
      })
    )
    .handle(
      "remove",
      Effect.fnUntraced(function* ({ params, query }) {
        const account = yield* orUnavailable(accountOf(query.account))
        if (!(yield* orUnavailable(Uploads.remove(account, params.id))))
          return yield* new NotFound({ detail: "The file does not exist." })
      })
    )
)
