import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authentication } from "#core/auth/Authentication.ts"
import { Requires } from "#core/auth/Permissions.ts"
import { plainText } from "#core/http/Paging.ts"
import { NotFound } from "#core/http/Problem.ts"
import { AccountNeeded, accountQuery } from "../../accounts/Exports.ts"
import { TooLarge } from "../Errors.ts"
import { maxUpload, maxUploads, uploadHours } from "./Store.ts"

export const UploadView = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  content_type: Schema.String,
  /** Unit: bytes. */
  size: Schema.Int,
  /** `cid:` URL of the file in the mail's HTML. */
  content_id: Schema.String,
  created_at: Schema.String,
  /** When the file is deleted. */
  expires_at: Schema.String
}).annotate({ identifier: "Upload" })

/** Id of an uploaded file. */
export const UploadId = Schema.String.pipe(
  Schema.check(Schema.isPattern(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/))
)

/** Longest file name that is read. Unit: characters. */
const maxName = 1000

const needed = "webmail.use"

/** Endpoints of uploaded files, which later go out with a mail. */
export const uploads = HttpApiGroup.make("webmailUploads")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: accountQuery,
      success: Schema.Struct({ items: Schema.Array(UploadView) }),
      error: [NotFound, AccountNeeded]
    })
      .annotate(Requires, needed)
      .annotateMerge(OpenApi.annotations({ summary: "Uploaded files not sent yet, newest first" })),
    HttpApiEndpoint.post("create", "/", {
      query: { ...accountQuery, name: Schema.optionalKey(plainText(maxName)) },
      success: UploadView.pipe(HttpApiSchema.status(201)),
      error: [NotFound, AccountNeeded, TooLarge]
    })
      .annotate(Requires, needed)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Upload a file for a mail",
          description:
            "The body is the file, with its `Content-Type`. The file name is `name`, otherwise that of " +
            `\`Content-Disposition\`. At most ${maxUpload} bytes, and ${maxUploads} bytes for all unsent files. ` +
            `An unsent file is deleted after ${uploadHours} hours.`
        })
      ),
    HttpApiEndpoint.delete("remove", "/:id", {
      params: { id: UploadId },
      query: accountQuery,
      success: HttpApiSchema.NoContent,
      error: [NotFound, AccountNeeded]
    })
      .annotate(Requires, needed)
      .annotateMerge(OpenApi.annotations({ summary: "Delete an uploaded file" }))
  )
  .middleware(Authentication)
  .prefix("/api/v1/mail/webmail/attachments")
