import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authentication } from "#core/auth/Authentication.ts"
import { Requires } from "#core/auth/Permissions.ts"
import { boundedList } from "#core/http/BoundedList.ts"
import * as Api from "#core/http/Api.ts"
import { NotFound } from "#core/http/Problem.ts"
import { accountQuery, mailErrors } from "../accounts/Exports.ts"
import { BodyUid, FolderName, PathUid } from "../webmail-reading/Exports.ts"
import { TargetUnknown } from "./Errors.ts"
import { MailFlag, maxFlags } from "./MailFlags.ts"
import { folderChanges } from "./folders/Api.ts"

/**
 * Maximum number of messages in one bulk request. Reason: several pages of a list; their uids fit in one command line.
 */
export const maxBulk = 500

const params = { folder: FolderName, uid: PathUid }
const mode = Schema.Literals(["set", "add", "remove"])
const flags = boundedList(MailFlag, { minimum: 0, maximum: maxFlags })

const MovedTo = Schema.Struct({ folder: Schema.String, uid: Schema.NullOr(Schema.Int) })

/** Result of deleting a message. */
export const Removed = Schema.Struct({
  outcome: Schema.Literals(["moved", "deleted"]),
  /** Its new folder. Null: deleted for good. */
  folder: Schema.NullOr(Schema.String),
  /** Its uid in that folder, if the server reports it. */
  uid: Schema.NullOr(Schema.Int)
}).annotate({ identifier: "RemovedMessage" })

export const Flagged = Schema.Struct({ uid: Schema.Int, flags: Schema.Array(Schema.String) }).annotate({
  identifier: "FlaggedMessage"
})

export const Bulk = Schema.Struct({
  outcome: Schema.Literals(["moved", "deleted", "flagged"]),
  /** Folder of moved messages. */
  folder: Schema.NullOr(Schema.String),
  messages: Schema.Array(
    Schema.Struct({
      uid: Schema.Int,
      /** Its uid in `folder`, if the server reports it. */
      new_uid: Schema.NullOr(Schema.Int),
      /** Flags of flagged messages. */
      flags: Schema.NullOr(Schema.Array(Schema.String))
    })
  ),
  /** Uids that the folder does not contain. */
  missing: Schema.Array(Schema.Int)
}).annotate({ identifier: "BulkChange" })

const needed = "webmail.use"

/** Endpoints that change messages. */
export const changes = HttpApiGroup.make("webmailChanges")
  .add(
    HttpApiEndpoint.delete("remove", "/messages/:folder/:uid", {
      params,
      query: accountQuery,
      success: Removed,
      error: [NotFound, ...mailErrors]
    })
      .annotate(Requires, needed)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Move a message to the trash",
          description:
            "`moved`: the message is in the trash folder, which is created when missing. `deleted`: the message was " +
            "in the trash folder and is deleted permanently."
        })
      ),
    HttpApiEndpoint.post("move", "/messages/:folder/:uid/move", {
      params,
      query: accountQuery,
      payload: Schema.Struct({ target: FolderName }),
      success: MovedTo.annotate({ identifier: "MovedMessage" }),
      error: [NotFound, TargetUnknown, ...mailErrors]
    })
      .annotate(Requires, needed)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Move a message to another folder",
          description:
            "`uid` is the new UID, null when the server does not report it. 404 `target_folder_unknown`: the folder " +
            "`target` does not exist."
        })
      ),
    HttpApiEndpoint.post("flags", "/messages/:folder/:uid/flags", {
      params,
      query: accountQuery,
      payload: Schema.Struct({ flags, mode: Schema.optionalKey(mode) }),
      success: Flagged,
      error: [NotFound, ...mailErrors]
    })
      .annotate(Requires, needed)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Set a message's flags",
          description:
            "`mode: set` (the default) replaces `\\Seen`, `\\Answered`, `\\Flagged` and all keywords by `flags`. " +
            "`add` and `remove` change only the named flags. `\\Draft`, `\\Deleted` and `\\Recent` cannot be " +
            "changed. The response contains the flags after the change."
        })
      ),
    HttpApiEndpoint.post("bulk", "/messages/:folder/bulk", {
      params: { folder: FolderName },
      query: accountQuery,
      payload: Schema.Struct({
        uids: boundedList(BodyUid, { minimum: 1, maximum: maxBulk }),
        action: Schema.Literals(["move", "delete", "flags"]),
        /** Required for `move`. */
        target: Schema.optionalKey(FolderName),
        /** Required for `flags`. */
        flags: Schema.optionalKey(flags),
        mode: Schema.optionalKey(mode)
      }),
      success: Bulk,
      error: [NotFound, TargetUnknown, ...mailErrors]
    })
      .annotate(Requires, needed)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Change many messages of a folder at once",
          description:
            `At most ${maxBulk} messages, each changed as by the endpoint for one message. ` +
            "`missing` lists UIDs that do not exist; the other messages are changed."
        })
      )
  )
  .middleware(Authentication)
  .prefix("/api/v1/mail/webmail")

export const WebmailChangesApi = Api.make("webmail-changes").add(changes).add(folderChanges)
