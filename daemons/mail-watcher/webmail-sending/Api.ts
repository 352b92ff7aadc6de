import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authentication } from "#core/auth/Authentication.ts"
import { Requires } from "#core/auth/Permissions.ts"
import * as Api from "#core/http/Api.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import { NotFound } from "#core/http/Problem.ts"
import { accountQuery, mailErrors } from "../accounts/Exports.ts"
import { PathUid } from "../webmail-reading/Exports.ts"
import { OutcomeUnknown, RecipientsRefused, SendingTooFast, SendingUnderWay, TooLarge } from "./Errors.ts"
import { DraftBody, MailBody } from "./MailBody.ts"
import { uploads } from "./uploads/Api.ts"

export const Sent = Schema.Struct({
  /** Message-ID with angle brackets. */
  message_id: Schema.String,
  accepted: Schema.Array(Schema.String),
  rejected: Schema.Array(Schema.Struct({ address: Schema.String, detail: Schema.String })),
  /** Folder and uid of the copy. False: the mail was sent, and storing the copy is retried for a day. */
  sent_copy: Schema.Union([
    Schema.Struct({ folder: Schema.String, uid: Schema.NullOr(Schema.Int) }),
    Schema.Literal(false)
  ])
}).annotate({ identifier: "SentMail" })

export const Draft = Schema.Struct({
  folder: Schema.String,
  /** Null: the server does not report it. */
  uid: Schema.NullOr(Schema.Int),
  message_id: Schema.String
}).annotate({ identifier: "KeptDraft" })

const sendErrors = [
  NotFound,
  OutcomeUnknown,
  RecipientsRefused,
  SendingTooFast,
  SendingUnderWay,
  TooLarge,
  ...mailErrors
] as const
const needed = "webmail.use"

const about =
  "The response follows when the mail server has accepted the mail for at least one recipient; `rejected` names the " +
  "others. The daemon queues nothing: 503 `mail_server_unavailable` and 422 `recipients_refused` mean that nothing " +
  "was sent. A repeated request with the same Idempotency-Key gets the first response and sends nothing. 409 " +
  "`sending_outcome_unknown`: the connection failed after the mail was transmitted; look for `message_id` before " +
  "you send it again. 429 `sending_too_fast`: the account reached its limit of mails or recipients."

/** Endpoint that sends a mail. */
export const send = HttpApiGroup.make("webmailSend")
  .add(
    HttpApiEndpoint.post("send", "/", {
      headers: Idempotency.headers,
      query: accountQuery,
      payload: MailBody,
      success: Sent,
      error: [...sendErrors]
    })
      .annotate(Requires, needed)
      .annotateMerge(OpenApi.annotations({ summary: "Send a mail", description: about }))
  )
  .middleware(Authentication)
  .prefix("/api/v1/mail/webmail/send")

/** Endpoints of drafts. Drafts are listed and read like other messages. */
export const drafts = HttpApiGroup.make("webmailDrafts")
  .add(
    HttpApiEndpoint.post("create", "/", {
      query: accountQuery,
      payload: DraftBody,
      success: Draft.pipe(HttpApiSchema.status(201)),
      error: [NotFound, TooLarge, ...mailErrors]
    })
      .annotate(Requires, needed)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Store a draft",
          description:
            "The draft goes to the drafts folder, which is created when missing, and contains the uploaded files."
        })
      ),
    HttpApiEndpoint.put("replace", "/:uid", {
      params: { uid: PathUid },
      query: accountQuery,
      payload: DraftBody,
      success: Draft,
      error: [NotFound, TooLarge, ...mailErrors]
    })
      .annotate(Requires, needed)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Replace a draft",
          description:
            "Replaces the whole draft. Messages are immutable, so the new draft has a new UID. The old draft is " +
            "deleted after the new one is stored."
        })
      ),
    HttpApiEndpoint.delete("remove", "/:uid", {
      params: { uid: PathUid },
      query: accountQuery,
      success: HttpApiSchema.NoContent,
      error: [NotFound, ...mailErrors]
    })
      .annotate(Requires, needed)
      .annotateMerge(OpenApi.annotations({ summary: "Delete a draft permanently" })),
    HttpApiEndpoint.post("send", "/:uid/send", {
      params: { uid: PathUid },
      headers: Idempotency.headers,
      query: accountQuery,
      success: Sent,
      error: [...sendErrors]
    })
      .annotate(Requires, needed)
      .annotateMerge(OpenApi.annotations({ summary: "Send a draft as it is", description: about }))
  )
  .middleware(Authentication)
  .prefix("/api/v1/mail/webmail/drafts")

export const WebmailSendingApi = Api.make("webmail-sending").add(send).add(drafts).add(uploads)
