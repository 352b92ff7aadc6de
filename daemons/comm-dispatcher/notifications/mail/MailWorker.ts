/**
 * Sends notifications as mails, by the relay of users' notifications. At least once: a mail whose answer was lost goes again under the same
 * Message-ID. While the relay is away it is tried again for a day.
 */
import { Clock, Effect, Metric, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { NotificationContent } from "#core/contracts/Notifications.ts"
import { type ClaimedJob, define, Jobs } from "#core/jobs/Jobs.ts"
import * as MailRelay from "#core/mail-relay/MailRelay.ts"
import { transaction } from "#core/sql/Sql.ts"
import * as Members from "../Members.ts"
import { compose } from "./NotificationMail.ts"
import { MailWay } from "./MailRoute.ts"
import { togetherFields } from "../JobFields.ts"

/** How long a mail is tried for. Unit: milliseconds. Reason: what is a day old is found in the app. */
export const mailLife = 24 * 3600 * 1000

/** Before the second try, doubled for each one after. Unit: milliseconds. */
const firstPause = 1_000

/** The longest between two tries. Unit: milliseconds. Reason: a relay that is back is found within minutes, by however many mails wait. */
const longestPause = 300_000

/** In hand at once in one process. Unit: jobs. Reason: one slow recipient's server must not hold up the next; relays take few connections. */
const concurrency = 4

export const NotificationEmail = define(
  "notification.email",
  Schema.Struct({ ...togetherFields, content: NotificationContent })
)

const ended = Metric.counter("notification_mails_total", {
  description: "Notifications by mail, by what became of them"
})
const count = (end: "sent" | "refused" | "expired" | "unconfigured" | "nobody") =>
  Metric.update(Metric.withAttributes(ended, { end }), 1)

type Job = ClaimedJob<typeof NotificationEmail.data.Type>

export const emailWorker = Effect.gen(function* () {
  const jobs = yield* Jobs
  const sql = yield* SqlClient.SqlClient
  const { saw, way } = yield* MailWay
  const handle = Effect.fnUntraced(function* (job: Job) {
    const { data } = job
    if (way === undefined) return yield* count("unconfigured")
    // Also where it cannot be read: what has no end in time is not sent at any time.
    if (!((yield* Clock.currentTimeMillis) < Date.parse(data.expires_at))) return yield* count("expired")
    // As they are now: an address may have changed, and who was suspended is told nothing.
    const [reader] = yield* Effect.provideService(
      Members.recipients({ user_id: data.user_id }),
      SqlClient.SqlClient,
      sql
    )
    if (reader === undefined || !reader.active) return yield* count("nobody")
    const { headers, html, subject, text } = compose([data.content, ...(data.more ?? [])], data.omitted ?? 0, reader)
    yield* MailRelay.send(way.relay, {
      from: way.from,
      to: [reader.email],
      subject,
      text,
      html,
      messageId: `<notification.${data.id}@${way.from.slice(way.from.lastIndexOf("@") + 1)}>`,
      headers
    }).pipe(
      Effect.matchEffect({
        onSuccess: () => Effect.andThen(saw(undefined), count("sent")),
        onFailure: (error) => putOff(job, error)
      })
    )
  })
  /** A mail that is not wanted anywhere is let go; any other goes again later, until it expires. */
  const putOff = Effect.fnUntraced(function* ({ complete, data }: Job, error: MailRelay.MailRelayError) {
    yield* saw(error.reason === "Refused" ? undefined : error.message)
    if (error.reason === "Refused") {
      yield* Effect.logWarning(`a notification to user ${data.user_id} goes by no mail: ${error.message}`)
      return yield* count("refused")
    }
    // Said once for a mail: a relay that is away for a day must not fill the log.
    if (data.tries === 0) yield* Effect.logWarning(`a notification's mail waits: ${error.message}`)
    const startAfter = new Date((yield* Clock.currentTimeMillis) + Math.min(firstPause * 2 ** data.tries, longestPause))
    yield* transaction(
      Effect.andThen(jobs.send(NotificationEmail, [{ data: { ...data, tries: data.tries + 1 }, startAfter }]), complete)
    )
  })
  yield* Jobs.worker({ type: NotificationEmail, concurrency, handle })
})
