import { Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authentication } from "#core/auth/Authentication.ts"
import { Requires } from "#core/auth/Permissions.ts"
import * as Api from "#core/http/Api.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import { NotFound } from "#core/http/Problem.ts"
import { accountQuery, mailErrors, strict } from "../accounts/Exports.ts"
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
  "Answered once the mail server has taken the mail for at least one recipient; `rejected` names the others. Nothing " +
  "is queued here: 503 `mail_server_unavailable` and 422 `recipients_refused` mean that nothing was sent. With an " +
  "Idempotency-Key a repeat is answered as the first and sends nothing; 409 `sending_outcome_unknown`: the " +
  "connection broke after the mail was handed over, look for `message_id` before you send anew. 429 " +
  "`sending_too_fast`: the account's bound on mails and recipients."

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
      .annotate(HttpApi.PayloadParseOptions, strict)
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
      .annotate(HttpApi.PayloadParseOptions, strict)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Keep a draft",
          description: "In the folder for drafts, which is made where there is none. Uploaded files go into the draft."
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
      .annotate(HttpApi.PayloadParseOptions, strict)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Replace a draft",
          description:
            "As a whole: mails cannot be changed, so the new one has another uid, and the old one is deleted once " +
            "the new one is kept."
        })
      ),
    HttpApiEndpoint.delete("remove", "/:uid", {
      params: { uid: PathUid },
      query: accountQuery,
      success: HttpApiSchema.NoContent,
      error: [NotFound, ...mailErrors]
    })
      .annotate(Requires, needed)
      .annotateMerge(OpenApi.annotations({ summary: "Delete a draft for good" })),
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
