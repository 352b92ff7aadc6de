import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authentication } from "#core/auth/Authentication.ts"
import { Requires } from "#core/auth/Permissions.ts"
import * as Api from "#core/http/Api.ts"
import { page, pageOf } from "#core/http/Paging.ts"
import { NotFound } from "#core/http/Problem.ts"
import { accountQuery } from "../accounts/Exports.ts"
import { push } from "./push/Api.ts"

const Time = Schema.NullOr(Schema.String)

/** How one account is watched. */
export const WatchView = Schema.Struct({
  /** Id of the account. */
  id: Schema.Int,
  account: Schema.String,
  /** Meanings: WatchStatus. */
  mode: Schema.Literals(["notify", "idle", "push", "poll", "lazy", "connecting", "failed"]),
  since: Time,
  folders: Schema.Int,
  last_event_at: Time,
  last_failure: Schema.NullOr(Schema.String),
  next_try_at: Time
}).annotate({ identifier: "WatchStatus" })

/** Status of the watching. */
export const status = HttpApiGroup.make("webmailWatcher")
  .add(
    HttpApiEndpoint.get("status", "/status", {
      query: { ...page(), ...accountQuery },
      success: pageOf(WatchView),
      error: NotFound
    })
      .annotate(Requires, "webmail.use")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Watch status of your mail accounts, newest account first",
          description:
            "`notify`: the mail server reports changes of all folders. `idle`: it reports changes of one folder; the " +
            "others are polled. `push`: it calls the push endpoint. `poll`: all folders are polled. `lazy`: the " +
            "mailbox is scanned only while somebody reads it or after a push. `account` limits the list to one " +
            "account; service tokens see all accounts."
        })
      )
  )
  .middleware(Authentication)
  .prefix("/api/v1/mail/webmail/watcher")

export const MailboxWatchApi = Api.make("mailbox-watch").add(status).add(push)
