/**
 * Sends notifications to the reader's chat through the messenger's throttle. At least once: a message without an answer
 * is repeated and marked as a possible repeat. Tries continue for a day while the messenger is away.
 */
import { Clock, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { NotificationContent } from "#core/contracts/Notifications.ts"
import { type ClaimedJob, define, Jobs } from "#core/jobs/Jobs.ts"
import { transaction } from "#core/sql/Sql.ts"
import { BotApi } from "#protocols/bot-api/BotApi.ts"
import { ChannelThrottles, Messenger, MessengerBot } from "../../channels/Exports.ts"
import * as Chats from "./Chats.ts"
import * as Members from "../Members.ts"
import { countNotification } from "../NotificationMetrics.ts"
import { messageOf } from "./NotificationMessage.ts"
import { togetherFields } from "../JobFields.ts"

/** Pause before the second try, doubled for each further one. Unit: milliseconds. */
const firstPause = 2_000

/** Longest pause between tries. Unit: milliseconds. Reason: a messenger that is back is found within minutes. */
const longestPause = 300_000

/**
 * Maximum number of jobs handled at once in one process. Reason: the throttle admits one message at a time; the other
 * is claimed ahead of its turn.
 */
const concurrency = 2

export const NotificationMessage = define(
  "notification.message",
  Schema.Struct({
    ...togetherFields,
    content: NotificationContent,
    /** An earlier try may have arrived. */
    doubtful: Schema.optionalKey(Schema.Boolean)
  })
)

const count = (end: "sent" | "refused" | "expired" | "unconfigured" | "nobody") => countNotification("messenger", end)

type Job = ClaimedJob<typeof NotificationMessage.data.Type>

export const messageWorker = Effect.gen(function* () {
  const jobs = yield* Jobs
  const sql = yield* SqlClient.SqlClient
  const { messenger: throttle } = yield* ChannelThrottles
  const bot = yield* MessengerBot

  /** Sends the job again for `at` and completes this one, in one transaction. */
  const again = ({ complete, data }: Job, at: number, changed: Partial<Job["data"]> = {}) =>
    transaction(
      Effect.andThen(
        jobs.send(NotificationMessage, [{ data: { ...data, ...changed }, startAfter: new Date(at) }]),
        complete
      )
    )

  const handle = Effect.fnUntraced(function* (job: Job) {
    const { data } = job
    const api = bot.api()
    if (api === undefined) return yield* count("unconfigured")
    const now = yield* Clock.currentTimeMillis
    // Also drops a message whose expiry cannot be read.
    if (!(now < Date.parse(data.expires_at))) return yield* count("expired")
    const [[reader], chatId] = yield* Effect.provideService(
      Effect.all([Members.recipients({ user_id: data.user_id }), Chats.chatOf(data.user_id)]),
      SqlClient.SqlClient,
      sql
    )
    if (reader === undefined || !reader.active || chatId === undefined) return yield* count("nobody")
    const turn = yield* throttle.turn(chatId)
    if (turn._tag === "NotBefore") return yield* again(job, turn.at)
    const text = messageOf([data.content, ...(data.more ?? [])], data.omitted ?? 0, reader.locale)
    // The process that claimed the job before may have sent the message.
    const possibleSecond = data.doubtful === true || job.retries > 0
    const outcome = yield* throttle
      .through(chatId, Messenger.deliver({ chatId, text, severity: undefined, possibleSecond }), Messenger.isThere(api))
      .pipe(Effect.provideService(BotApi, api))
    if (outcome._tag === "Delivered") return yield* count("sent")
    if (outcome._tag === "Permanent") {
      yield* Effect.logWarning(`a notification to user ${data.user_id} cannot be sent by messenger: ${outcome.reason}`)
      return yield* count("refused")
    }
    // Logged once per message, so that a long outage does not fill the log.
    if (data.tries === 0) yield* Effect.logWarning(`a notification message is delayed: ${outcome.reason}`)
    yield* again(job, now + Math.max(outcome.retryAfter ?? 0, Math.min(firstPause * 2 ** data.tries, longestPause)), {
      tries: data.tries + 1,
      ...(data.doubtful === true || outcome.reached === "perhaps" ? { doubtful: true } : {})
    })
  })
  yield* Jobs.worker({ type: NotificationMessage, concurrency, handle })
})
