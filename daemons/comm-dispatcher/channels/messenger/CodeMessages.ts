/**
 * Sends the messages with a secret code that other daemons request (core/contracts/Messenger). They pass the
 * messenger's throttle and are not recorded in the ledger.
 *
 * At most once: the job is completed before the message is sent. A message that cannot have arrived is requested again
 * until it expires. A message that may have arrived is not, because its reader can request another code.
 */
import { Clock, Effect, Redacted, Schedule } from "effect"
import { type ClaimedJob, Jobs } from "#core/jobs/Jobs.ts"
import { MessengerCode, messengerCodeContext } from "#core/contracts/Messenger.ts"
import { Secrets } from "#core/config/Secrets.ts"
import { isAway, transaction } from "#core/sql/Sql.ts"
import * as Metrics from "#core/metrics/Metrics.ts"
import { BotApi } from "#protocols/bot-api/BotApi.ts"
import * as Messenger from "./Messenger.ts"
import { MessengerBot } from "./MessengerBot.ts"
import type { Outcome } from "../Outcome.ts"
import { ChannelThrottles } from "../limits/ChannelThrottles.ts"

/**
 * Maximum number of jobs handled at once in one process. Reason: a person waits, and one slow chat must not delay the
 * next.
 */
const concurrency = 4

/**
 * Pause before a message that cannot have arrived is sent again. Unit: milliseconds. The throttle waits longer while
 * the messenger is away.
 */
const repeatPause = 2_000

/** Pause between tries to store the repeat. Unit: milliseconds. */
const rewritePause = 500

/** How a message ended. `uncertain`: it may have arrived. */
export type CodeEnd = "sent" | "refused" | "uncertain" | "expired" | "unreadable" | "unconfigured"

const ended = Metrics.counter("messenger_codes_total", {
  daemon: "comm-dispatcher",
  help: "Messages with a code for signing in, by outcome.",
  labels: ["outcome"]
})
const count = (outcome: CodeEnd) => Effect.sync(() => ended.add({ outcome }))

/** Decides what follows a try. Pure. `again`: milliseconds from now. */
export const next = (outcome: Outcome): CodeEnd | { readonly again: number } => {
  if (outcome._tag === "Delivered") return "sent"
  if (outcome._tag === "Permanent") return "refused"
  return outcome.reached === "perhaps" ? "uncertain" : { again: Math.max(repeatPause, outcome.retryAfter ?? 0) }
}

/** The other side's answer without digits that could be a code or a chat. */
const shown = (reason: string) => reason.replace(/\d{4,}/g, "…")

type Data = typeof MessengerCode.data.Type

export const codeMessages = Effect.gen(function* () {
  const jobs = yield* Jobs
  const secrets = yield* Secrets
  const { messenger: throttle } = yield* ChannelThrottles
  const bot = yield* MessengerBot

  const expiry = (data: Data) => Date.parse(data.expires_at)
  const drop = (end: CodeEnd, why: string) =>
    Effect.andThen(count(end), Effect.logWarning(`a message with a code ended ${end}: ${why}`))

  /** Requests the message again at `at`, when it may have expired. */
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
    const api = bot.api()
    if (api === undefined) return yield* drop("unconfigured", "set SIGNALBOX_MESSENGER_TOKEN")
    const now = yield* Clock.currentTimeMillis
    // Also drops a message whose expiry cannot be read.
    if (!(now < expiry(data))) return yield* drop("expired", "the code has expired")
    const turn = yield* throttle.turn(data.chat_id)
    if (turn._tag === "NotBefore") return yield* transaction(Effect.andThen(sendAt(data, turn.at), job.complete))
    const text = yield* secrets.open(data.envelope, messengerCodeContext(data.id)).pipe(
      // A key file may become readable: the job is retried. Other failures are final.
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
