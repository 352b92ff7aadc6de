import { Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authentication } from "#core/auth/Authentication.ts"
import { Requires } from "#core/auth/Permissions.ts"
import { NotFound } from "#core/http/Problem.ts"
import { accountQuery, mailErrors, strict } from "../../accounts/Exports.ts"
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
      .annotate(HttpApi.PayloadParseOptions, strict)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Make a folder",
          description:
            "By its whole name, `Archive/2026`; the folders above it are made with it by most mail servers. Answered " +
            "is the name it has there."
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
      .annotate(HttpApi.PayloadParseOptions, strict)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Rename or move a folder",
          description:
            "409 `folder_protected`: INBOX never; a folder with a use (sent, drafts, trash, junk, archive) only with " +
            "`force=true`."
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
          summary: "Delete a folder with what is in it",
          description: "For good: its messages do not go to the trash. 409 `folder_protected` as for renaming."
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
          summary: "Delete everything in trash or junk",
          description: "For good, and only of these two; others are 409 `folder_protected`."
        })
      )
  )
  .middleware(Authentication)
  .prefix("/api/v1/mail/webmail/folders")
