/**
 * Sends pending mails. Placed: one process of the fleet sends. The claim of a mail is committed first, then the mail is
 * sent outside a transaction, then the outcome is written. A killed process leaves claims behind; the next one sends
 * those mails again with the same Message-ID.
 */
import { awaitTokens, TokenBucket } from "#core/limits/TokenBucket.ts"
import { Clock, Duration, Effect, Fiber, Random, Redacted, Semaphore } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { logoPart } from "#core/html/Brand.ts"
import * as Backoff from "#core/supervision/Backoff.ts"
import * as MailRelay from "#core/mail-relay/MailRelay.ts"
import { contextOf, Secrets } from "#core/config/Secrets.ts"
import { untilReplaced } from "#core/settings/LiveSettings.ts"
import { isAway } from "#core/sql/Sql.ts"
import { Actor, type ActorSpec } from "#core/supervision/Supervisor.ts"
import { Wake } from "#core/events/Wake.ts"
import { languageOfAccount } from "#core/words/ChooseLanguage.ts"
import * as Metrics from "#core/metrics/Metrics.ts"
import { confirmMail } from "./ConfirmMail.ts"
import { confirmColumn, unsubscribeColumn } from "./LinkToken.ts"
import { type Claim, claim, close, mailTopic, nextDue, release } from "./MailStore.ts"
import type { MailTransport } from "./MailTransport.ts"
import { noticeMail } from "./NoticeMail.ts"
import { afterFailure, isOfRelay, isTooOld, type Next, putOff, relayAway } from "./Retry.ts"

/** Interval of looks without a wake-up. Unit: seconds. */
const lookEvery = Duration.seconds(30)

/** Time for current mails to finish when the process stops. Unit: seconds. Reason: the process stops within 20 s. */
const drain = Duration.seconds(8)

/** How long an outcome waits for the database. Unit: minutes. Reason: a lost outcome would send the mail twice. */
const recordFor = Duration.minutes(2)

const ended = Metrics.counter("status_mails_total", {
  daemon: "status-checker",
  help: "Attempts to send mail to a subscriber, by kind of mail and outcome.",
  labels: ["kind", "outcome"]
})

export interface SenderOptions {
  /** Concurrent mails, each on its own connection. */
  readonly connections: number
  /** Maximum number of mails per minute. */
  readonly rate: number
}

/** `transport`: that of the moment; undefined while mail is not configured. */
export const mailSender = (
  transport: () => MailTransport | undefined,
  { connections, rate }: SenderOptions
): ActorSpec<SqlClient.SqlClient | Secrets | Wake> => ({
  name: "mails",
  placed: true,
  run: Effect.gen(function* () {
    const actor = yield* Actor
    const wakeup = yield* (yield* Wake).subscribe(mailTopic)
    const repeated = yield* release
    if (repeated > 0)
      yield* Effect.logInfo(`${repeated} mails were being sent when their process ended; they are sent again`)
    const pace = new TokenBucket({ burst: 1, perSecond: rate / 60 }, yield* Clock.currentTimeMillis)
    const turns = yield* Semaphore.make(1)
    const next = turns.withPermit(Effect.andThen(awaitTokens(pace), claim))
    /** Sends one mail. Returns `away` when the relay is unreachable and `none` when no mail is due. */
    const one = Effect.gen(function* () {
      yield* actor.progress
      const way = transport()
      const due = way === undefined ? undefined : yield* next
      if (way === undefined || due === undefined) return "none"
      return (yield* inHand(attempt(due, way))) ? "sent" : "away"
    })
    /** Sends all due mails concurrently; false when the relay became unreachable. */
    const all = Effect.gen(function* () {
      let reached = true
      const worker = Effect.gen(function* () {
        while (reached) {
          const end = yield* one
          if (end === "none") return
          if (end === "away") reached = false
        }
      })
      yield* Effect.all(
        Array.from({ length: connections }, () => worker),
        { concurrency: "unbounded", discard: true }
      )
      return reached
    })
    /** Consecutive rounds with an unreachable relay. While there are any, a single mail tests the relay. */
    let away = 0
    while (true) {
      yield* actor.progress
      if (transport() === undefined) {
        yield* actor.note("not configured")
        yield* untilReplaced(() => [transport()], actor.progress)
      }
      const reached = away > 0 ? (yield* one) !== "away" : yield* all
      if (!reached) {
        away += 1
        yield* actor.note("the relay cannot be reached")
        const pause = Effect.sleep(Backoff.delay(relayAway, away, yield* Random.next))
        // Another relay is tried at once.
        yield* Effect.raceFirst(
          pause,
          untilReplaced(() => [transport()])
        )
      } else if (away > 0) {
        away = 0
      } else {
        yield* actor.note("waiting for mails")
        yield* wakeup.wait(Duration.min(lookEvery, Duration.millis(Math.max(0, (yield* nextDue) ?? Infinity))))
      }
    }
  })
})

/** Lets current mails finish when the actor stops, since an interrupted mail would be sent again. */
const inHand = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(Effect.forkDetach(work), (fiber) =>
    Effect.onInterrupt(Fiber.join(fiber), () =>
      Effect.andThen(Effect.timeoutOption(Fiber.await(fiber), drain), Fiber.interrupt(fiber))
    )
  )

/** Sends one mail and writes the outcome; false when the relay is unreachable. */
const attempt = Effect.fnUntraced(function* (due: Claim, transport: MailTransport) {
  const now = yield* Clock.currentTimeMillis
  const tried = { kind: due.kind, attempts: due.attempts, age: now - due.created_at.getTime() }
  let reached = true
  const next: Next = isTooOld(tried)
    ? { _tag: "Failed", error: "too old to be sent", refused: false }
    : yield* render(due, transport).pipe(
        Effect.flatMap((mail) => MailRelay.send(transport.relay, mail)),
        Effect.as<Next>({ _tag: "Delivered" }),
        Effect.catchTags({
          MailRelayError: (error) =>
            Effect.map(Random.next, (random) => {
              reached = !isOfRelay(error)
              return afterFailure(tried, error, random)
            }).pipe(
              Effect.tap(Effect.logWarning(`mail ${due.id} to subscriber ${due.subscriber_id}: ${error.message}`))
            ),
          // An operator may restore the key file.
          SecretError: (error) =>
            Effect.map(Random.next, (random): Next => ({
              _tag: "Again",
              wait: Duration.toMillis(Backoff.delay(putOff, due.attempts, random)),
              error: error.message
            }))
        })
      )
  ended.add({ kind: due.kind, outcome: next._tag.toLowerCase() })
  if (next._tag !== "Delivered")
    yield* Effect.logWarning(`mail ${due.id} to subscriber ${due.subscriber_id} is not sent: ${next.error}`)
  yield* recorded(close(due, next))
  return reached
})

/** Retries while the database is away. */
const recorded = <R>(write: Effect.Effect<void, SqlError.SqlError, R>): Effect.Effect<void, SqlError.SqlError, R> =>
  Effect.timeoutOrElse(Effect.retry(write, { schedule: Backoff.schedule(Backoff.eager), while: isAway }), {
    duration: recordFor,
    orElse: () => write
  })

const render = Effect.fnUntraced(function* (due: Claim, transport: MailTransport) {
  const secrets = yield* Secrets
  const unsubscribeToken = Redacted.value(
    yield* secrets.open(due.unsubscribe_envelope, contextOf(unsubscribeColumn, due.unsubscribe))
  )
  const { content } = due
  const rendered =
    content.kind === "confirm"
      ? confirmMail({
          transport,
          language: languageOfAccount(content.lang),
          unsubscribeToken,
          token: Redacted.value(yield* secrets.open(due.envelope ?? "", contextOf(confirmColumn, due.message_id)))
        })
      : noticeMail(content, { transport, language: languageOfAccount(due.lang), unsubscribeToken })
  return { ...rendered, picture: logoPart(), from: transport.from, to: [due.email], messageId: due.message_id }
})
