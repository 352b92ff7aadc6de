/**
 * Sends notifications as mails. At least once: a mail without an answer is repeated with the same Message-ID. Tries
 * continue for a day while the relay is away.
 */
import { Clock, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { NotificationContent } from "#core/contracts/Notifications.ts"
import { type ClaimedJob, define, Jobs } from "#core/jobs/Jobs.ts"
import * as MailRelay from "#core/mail-relay/MailRelay.ts"
import { transaction } from "#core/sql/Sql.ts"
import * as Members from "../Members.ts"
import { countNotification } from "../NotificationMetrics.ts"
import { compose } from "./NotificationMail.ts"
import { type MailSender, MailWay } from "./MailRoute.ts"
import { togetherFields } from "../JobFields.ts"

/** How long a mail is tried. Unit: milliseconds. Reason: after a day the reader finds it in the app. */
export const mailLife = 24 * 3600 * 1000

/** Pause before the second try, doubled for each further one. Unit: milliseconds. */
const firstPause = 1_000

/**
 * Longest pause between tries. Unit: milliseconds. Reason: a relay that is back is found within minutes, with any
 * number of waiting mails.
 */
const longestPause = 300_000

/**
 * Maximum number of jobs handled at once in one process. Reason: one slow recipient server must not delay the others;
 * relays accept few connections.
 */
const concurrency = 4

export const NotificationEmail = define(
  "notification.email",
  Schema.Struct({ ...togetherFields, content: NotificationContent })
)

const count = (end: "sent" | "refused" | "expired" | "unconfigured" | "nobody") => countNotification("mail", end)

type Job = ClaimedJob<typeof NotificationEmail.data.Type>

export const emailWorker = Effect.gen(function* () {
  const jobs = yield* Jobs
  const sql = yield* SqlClient.SqlClient
  const { saw, way: present } = yield* MailWay
  const handle = Effect.fnUntraced(function* (job: Job) {
    const { data } = job
    const way = present()
    if (way === undefined) return yield* count("unconfigured")
    // Also drops a mail whose expiry cannot be read.
    if (!((yield* Clock.currentTimeMillis) < Date.parse(data.expires_at))) return yield* count("expired")
    // Reads the current user: the address may have changed, and suspended users get no mail.
    const [reader] = yield* Effect.provideService(
      Members.recipients({ user_id: data.user_id }),
      SqlClient.SqlClient,
      sql
    )
    if (reader === undefined || !reader.active) return yield* count("nobody")
    const { headers, html, picture, subject, text } = compose(
      [data.content, ...(data.more ?? [])],
      data.omitted ?? 0,
      reader
    )
    yield* MailRelay.send(way.relay, {
      from: way.from,
      to: [reader.email],
      subject,
      text,
      html,
      picture,
      messageId: `<notification.${data.id}@${way.from.slice(way.from.lastIndexOf("@") + 1)}>`,
      headers
    }).pipe(
      Effect.matchEffect({
        onSuccess: () => Effect.andThen(saw(way, undefined), count("sent")),
        onFailure: (error) => putOff(job, way, error)
      })
    )
  })
  /** Drops a mail that is refused; any other is retried until it expires. */
  const putOff = Effect.fnUntraced(function* (
    { complete, data }: Job,
    sender: MailSender,
    error: MailRelay.MailRelayError
  ) {
    yield* saw(sender, error.reason === "Refused" ? undefined : error.ownWords)
    if (error.reason === "Refused") {
      yield* Effect.logWarning(`a notification to user ${data.user_id} cannot be sent by mail: ${error.message}`)
      return yield* count("refused")
    }
    // Logged once per mail, so that a long outage does not fill the log.
    if (data.tries === 0) yield* Effect.logWarning(`a notification mail is delayed: ${error.message}`)
    const startAfter = new Date((yield* Clock.currentTimeMillis) + Math.min(firstPause * 2 ** data.tries, longestPause))
    yield* transaction(
      Effect.andThen(jobs.send(NotificationEmail, [{ data: { ...data, tries: data.tries + 1 }, startAfter }]), complete)
    )
  })
  yield* Jobs.worker({ type: NotificationEmail, concurrency, handle })
})
