import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authentication } from "#core/auth/Authentication.ts"
import { Requires } from "#core/auth/Permissions.ts"
import { NotFound } from "#core/http/Problem.ts"
import { accountQuery, mailErrors } from "../../accounts/Exports.ts"
import { FolderName, NewFolderName } from "../../webmail-reading/Exports.ts"
import { FolderProtected, FolderTaken } from "../Errors.ts"

export const Named = Schema.Struct({ folder: Schema.String }).annotate({ identifier: "NamedFolder" })

const params = { folder: FolderName }
const payload = Schema.Struct({ folder: NewFolderName })
const force = { force: Schema.optionalKey(Schema.Literals(["true", "false"])) }
const needed = "webmail.use"

/** Endpoints that create, rename, delete and empty folders. */
export const folderChanges = HttpApiGroup.make("webmailFolderChanges")
  .add(
    HttpApiEndpoint.post("create", "/", {
      query: accountQuery,
      payload,
      success: Named.pipe(HttpApiSchema.status(201)),
      error: [NotFound, FolderTaken, ...mailErrors]
    })
      .annotate(Requires, needed)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Create a folder",
          description:
            "The name is the full path, such as `Archive/2026`; most mail servers create missing parent folders. The " +
            "response contains the name on the mail server."
        })
      ),
    HttpApiEndpoint.put("rename", "/:folder", {
      params,
      query: { ...accountQuery, ...force },
      payload,
      success: Named,
      error: [NotFound, FolderTaken, FolderProtected, ...mailErrors]
    })
      .annotate(Requires, needed)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Rename or move a folder",
          description:
            "409 `folder_protected`: INBOX cannot be renamed; a folder with a special use (sent, drafts, trash, " +
            "junk, archive) requires `force=true`."
        })
      ),
    HttpApiEndpoint.delete("remove", "/:folder", {
      params,
      query: { ...accountQuery, ...force },
      success: HttpApiSchema.NoContent,
      error: [NotFound, FolderProtected, ...mailErrors]
    })
      .annotate(Requires, needed)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Delete a folder and its messages",
          description:
            "The messages are deleted permanently, not moved to the trash. 409 `folder_protected` as for renaming."
        })
      ),
    HttpApiEndpoint.post("empty", "/:folder/empty", {
      params,
      query: accountQuery,
      success: Schema.Struct({ deleted: Schema.Int }).annotate({ identifier: "EmptiedFolder" }),
      error: [NotFound, FolderProtected, ...mailErrors]
    })
      .annotate(Requires, needed)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Delete all messages in trash or junk",
          description: "The messages are deleted permanently. 409 `folder_protected` for other folders."
        })
      )
  )
  .middleware(Authentication)
  .prefix("/api/v1/mail/webmail/folders")
