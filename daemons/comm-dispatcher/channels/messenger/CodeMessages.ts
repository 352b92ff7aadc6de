/**
 * Sends the short messages with a secret in them that other daemons ask for (core/contracts/Messenger). They pass the throttle of
 * the messenger as every message does, and have no place in the ledger: nothing of them is kept.
 *
 * At most once: the job is completed before the message is sent. One that cannot have arrived is asked for anew until it
 * expires; one that may have arrived is not, since whoever waits for a code can ask for another.
 */
import { Clock, Effect, Metric, Redacted, Schedule } from "effect"
import { type ClaimedJob, Jobs } from "#core/jobs/Jobs.ts"
import { MessengerCode, messengerCodeContext } from "#core/contracts/Messenger.ts"
import { Secrets } from "#core/config/Secrets.ts"
import { isAway, transaction } from "#core/sql/Sql.ts"
import { BotApi } from "#protocols/bot-api/BotApi.ts"
import * as Messenger from "./Messenger.ts"
import { MessengerBot } from "./MessengerBot.ts"
import type { Outcome } from "../Outcome.ts"
import { ChannelThrottles } from "../limits/ChannelThrottles.ts"

/** In hand at once in one process. Unit: jobs. Reason: somebody waits, and one chat that is slow must not hold up the next. */
const concurrency = 4

/** Before one that cannot have arrived is sent again. Unit: milliseconds. The throttle waits longer where the messenger is away. */
const repeatPause = 2_000

/** Between two tries to write down that it is to be sent again. Unit: milliseconds. */
const rewritePause = 500

/** What became of one. `uncertain`: it may have arrived. */
export type CodeEnd = "sent" | "refused" | "uncertain" | "expired" | "unreadable" | "unconfigured"

const ended = Metric.counter("messenger_codes_total", { description: "Messages with a code, by what became of them" })
const count = (end: CodeEnd) => Metric.update(Metric.withAttributes(ended, { end }), 1)

/** What to do after a try. Pure. `again`: milliseconds from now. */
export const next = (outcome: Outcome): CodeEnd | { readonly again: number } => {
  if (outcome._tag === "Delivered") return "sent"
  if (outcome._tag === "Permanent") return "refused"
  return outcome.reached === "perhaps" ? "uncertain" : { again: Math.max(repeatPause, outcome.retryAfter ?? 0) }
}

/** The other side's words, without anything that could be a code or a chat. */
const shown = (reason: string) => reason.replace(/\d{4,}/g, "…")

type Data = typeof MessengerCode.data.Type

export const codeMessages = Effect.gen(function* () {
  const jobs = yield* Jobs
  const secrets = yield* Secrets
  const { messenger: throttle } = yield* ChannelThrottles
  const { api } = yield* MessengerBot

  const expiry = (data: Data) => Date.parse(data.expires_at)
  const drop = (end: CodeEnd, why: string) =>
    Effect.andThen(count(end), Effect.logWarning(`a message with a code ended ${end}: ${why}`))

  /** Asks for it anew at `at`; by then it may have expired. */
  const sendAt = (data: Data, at: number) => jobs.send(MessengerCode, [{ data, startAfter: new Date(at) }])

  const send = (bot: BotApi["Service"], chatId: string, text: Redacted.Redacted) =>
    throttle
      .through(
        chatId,
        Messenger.deliver({ chatId, text: Redacted.value(text), severity: undefined, possibleSecond: false }),
        Messenger.isThere(bot)
      )
      .pipe(Effect.provideService(BotApi, bot))

  const handle = Effect.fnUntraced(function* (job: ClaimedJob<Data>) {
    const { data } = job
    if (api === undefined) return yield* drop("unconfigured", "set SIGNALBOX_MESSENGER_TOKEN")
    const now = yield* Clock.currentTimeMillis
    // Also where it cannot be read: what has no end in time is not sent at any time.
    if (!(now < expiry(data))) return yield* drop("expired", "its time is over")
    const turn = yield* throttle.turn(data.chat_id)
    if (turn._tag === "NotBefore") return yield* transaction(Effect.andThen(sendAt(data, turn.at), job.complete))
    const text = yield* secrets.open(data.envelope, messengerCodeContext(data.id)).pipe(
      // A key file that cannot be read may be readable soon: the job goes back. Anything else stays as it is.
      Effect.catchIf(
        ({ reason }) => reason !== "KeyFile",
        (error) => Effect.as(drop("unreadable", error.message), undefined)
      )
    )
    if (text === undefined) return
    yield* job.complete
    const outcome = yield* send(api, data.chat_id, text)
    const then = next(outcome)
    if (typeof then === "object") {
      return yield* sendAt(data, (yield* Clock.currentTimeMillis) + then.again).pipe(
        Effect.retry({ while: isAway, schedule: Schedule.spaced(rewritePause) })
      )
    }
    if (then === "sent") return yield* count(then)
    yield* drop(then, outcome._tag === "Delivered" ? "" : shown(outcome.reason))
  })

  yield* Jobs.worker({ type: MessengerCode, concurrency, handle })
})
