/**
 * Sends notifications as mails, by the relay of users' notifications. At least once: a mail whose answer was lost goes again under the same
 * Message-ID. While the relay is away it is tried again for a day.
 */
import { Clock, Effect, Metric, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { NotificationContent } from "#core/contracts/Notifications.ts"
import { type ClaimedJob, define, Jobs } from "#core/Jobs.ts"
import * as MailRelay from "#core/MailRelay.ts"
import * as Members from "./Members.ts"
import { compose } from "./NotificationMail.ts"
import { MailWay } from "./NotifySettings.ts"

/** How long a mail is tried for. Unit: milliseconds. Reason: what is a day old is found in the app. */
export const mailLife = 24 * 3600 * 1000

/** In hand at once in one process. Unit: jobs. Reason: one slow recipient's server must not hold up the next; relays take few connections. */
const concurrency = 4

export const NotificationEmail = define(
  "notification.email",
  Schema.Struct({
    /** A fresh UUID; names the mail. */
    id: Schema.String,
    user_id: Schema.Int,
    content: NotificationContent,
    /** ISO 8601. */
    expires_at: Schema.String
  })
)

const ended = Metric.counter("notification_mails_total", { description: "Notifications by mail, by what became of them" })
const count = (end: "sent" | "refused" | "expired" | "unconfigured" | "nobody") => Metric.update(Metric.withAttributes(ended, { end }), 1)

export const emailWorker = Effect.gen(function*() {
  const jobs = yield* Jobs
  const sql = yield* SqlClient.SqlClient
  const { way } = yield* MailWay
  const handle = Effect.fnUntraced(function*({ data }: ClaimedJob<typeof NotificationEmail.data.Type>) {
    if (way === undefined) return yield* count("unconfigured")
    // Also where it cannot be read: what has no end in time is not sent at any time.
    if (!((yield* Clock.currentTimeMillis) < Date.parse(data.expires_at))) return yield* count("expired")
    // As they are now: an address may have changed, and who was suspended is told nothing.
    const [reader] = yield* Effect.provideService(Members.recipients({ user_id: data.user_id }), SqlClient.SqlClient, sql)
    if (reader === undefined || !reader.active) return yield* count("nobody")
    const { headers, html, subject, text } = compose(data.content, reader)
    yield* MailRelay.send(way.relay, {
      from: way.from,
      to: [reader.email],
      subject,
      text,
      html,
      messageId: `<notification.${data.id}@${way.from.slice(way.from.lastIndexOf("@") + 1)}>`,
      headers
    }).pipe(
      Effect.andThen(count("sent")),
      // Anything else puts the job back, until it expires.
      Effect.catchIf(({ reason }) => reason === "Refused", (error) =>
        Effect.andThen(count("refused"), Effect.logWarning(`a notification to user ${data.user_id} goes by no mail: ${error.message}`)))
    )
  })
  return jobs.worker({ type: NotificationEmail, concurrency, handle })
})
