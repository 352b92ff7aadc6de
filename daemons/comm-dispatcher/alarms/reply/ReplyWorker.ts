/** Sends the replies to senders of malformed alarm mails. Retried while the relay is away, for a day. */
import { Clock, Effect } from "effect"
import { type ClaimedJob, Jobs } from "#core/jobs/Jobs.ts"
import * as MailRelay from "#core/mail-relay/MailRelay.ts"
import { transaction } from "#core/sql/Sql.ts"
import { type NotifyConfig, senderOf } from "../../notifications/Exports.ts"
import { AlarmReply, composeReply } from "./Reply.ts"

/** How long a reply is tried. Unit: milliseconds. */
const life = 24 * 3_600_000

/** Pause between tries. Unit: milliseconds. Reason: nobody waits for this mail. */
const pause = 60_000

export const replyWorker = (config: NotifyConfig) =>
  Effect.gen(function* () {
    const jobs = yield* Jobs
    const sender = senderOf(config)
    const handle = Effect.fnUntraced(function* (job: ClaimedJob<typeof AlarmReply.data.Type>) {
      const now = yield* Clock.currentTimeMillis
      const way = sender()
      if (way === undefined || !(now - Date.parse(job.data.at) < life)) return
      const { from, relay } = way
      const mail = {
        from,
        to: [job.data.to],
        messageId: `<reply.${job.id}@${from.slice(from.lastIndexOf("@") + 1)}>`,
        ...composeReply(job.data)
      }
      yield* Effect.catch(MailRelay.send(relay, mail), (error) =>
        error.retryable
          ? transaction(
              Effect.andThen(
                jobs.send(AlarmReply, [{ data: job.data, startAfter: new Date(now + pause) }]),
                job.complete
              )
            )
          : Effect.logWarning(`the reply to a malformed alarm cannot be sent: ${error.message}`)
      )
    })
    yield* Jobs.worker({ type: AlarmReply, handle })
  })
