import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { settings } from "#core/config/Environment.ts"
import * as Feature from "#core/daemon/Feature.ts"
import * as HtmlWorker from "#core/html/HtmlWorker.ts"
import { Jobs } from "#core/jobs/Jobs.ts"
import { Supervisor } from "#core/supervision/Supervisor.ts"
import { guardedHost, mailCa, mailLogins, mailSessions } from "../accounts/Exports.ts"
import { WebmailSendingApi } from "./Api.ts"
import { drafts, send } from "./Handlers.ts"
import { writing } from "./migrations/0003_writing.ts"
import { copyJob, keepMissingCopy } from "./MissingCopies.ts"
import { sendingSweep } from "./SendingSweep.ts"
import * as Submission from "./Submission.ts"
import { uploads } from "./uploads/Handlers.ts"
import { maxUpload } from "./uploads/Store.ts"

const sendingSettings = { mailCa }

const submission = Layer.unwrap(Effect.map(settings(sendingSettings), Submission.layer)).pipe(
  Layer.provide([guardedHost, mailLogins])
)

/** Sending mail, drafts, and the files that go out with a mail. */
export const webmailSending = Feature.make({
  settings: sendingSettings,
  migrations: [writing],
  queues: [copyJob],
  routes: [{ prefix: "/api/v1/mail/webmail/attachments", authenticated: true, maxBody: maxUpload }],
  api: WebmailSendingApi,
  layer: Layer.merge(
    HttpApiBuilder.layer(WebmailSendingApi).pipe(Layer.provide([send, drafts, uploads])),
    Layer.effectDiscard(
      Effect.andThen(Jobs.worker({ type: copyJob, handle: keepMissingCopy }), Supervisor.actor(sendingSweep))
    )
  ).pipe(Layer.provide([submission, mailSessions, HtmlWorker.layer]))
})
