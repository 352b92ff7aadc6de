/**
 * Sends the mails that wait. Placed: one process in the fleet sends. A mail is claimed and that is committed, then it
 * goes out with no transaction open, then what became of it is written. Who is killed in between leaves claims behind;
 * the next one repeats them under the same Message-ID.
 */
import { TokenBucket } from "#core/limits/TokenBucket.ts"
import { Clock, Duration, Effect, Fiber, Metric, Random, Redacted, Semaphore } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import * as Backoff from "#core/supervision/Backoff.ts"
import * as MailRelay from "#core/mail-relay/MailRelay.ts"
import { contextOf, Secrets } from "#core/config/Secrets.ts"
import { isAway } from "#core/sql/Sql.ts"
import { Actor, type ActorSpec } from "#core/supervision/Supervisor.ts"
import { Wake } from "#core/events/Wake.ts"
import { confirmMail } from "./ConfirmMail.ts"
import { confirmColumn, unsubscribeColumn } from "./LinkToken.ts"
import { type Claim, claim, close, mailTopic, nextDue, release } from "./MailStore.ts"
import type { MailTransport } from "./MailTransport.ts"
import { noticeMail } from "./NoticeMail.ts"
import { afterFailure, isOfRelay, isTooOld, type Next, putOff, relayAway } from "./Retry.ts"

/** Between two looks while nothing rings. Unit: seconds. */
const lookEvery = Duration.seconds(30)

/**
 * How long mails in hand may take to end when the process is stopped in order. Unit: seconds. Reason: the frame stops
 * within 20.
 */
const drain = Duration.seconds(8)

/** How long a result waits for a database that is away. Unit: minutes. Reason: forgotten, the mail would go twice. */
const recordFor = Duration.minutes(2)

const ended = Metric.counter("status_mails_total", {
  description: "Mails to subscribers, by kind and by what became of each try"
})

export interface SenderOptions {
  /** Mails in hand at once, each on a connection of its own. */
  readonly connections: number
  /** Mails a minute, at most. */
  readonly rate: number
}

export const mailSender = (
  transport: MailTransport,
  { connections, rate }: SenderOptions
): ActorSpec<SqlClient.SqlClient | Secrets | Wake> => ({
  name: "mails",
  placed: true,
  run: Effect.gen(function* () {
    const actor = yield* Actor
    const wakeup = yield* (yield* Wake).subscribe(mailTopic)
    const repeated = yield* release
    if (repeated > 0) yield* Effect.logInfo(`${repeated} mails were in hand when their process ended; they go again`)
    const pace = new TokenBucket({ burst: 1, perSecond: rate / 60 }, yield* Clock.currentTimeMillis)
    const turns = yield* Semaphore.make(1)
    const next = turns.withPermit(Effect.andThen(paced(pace), claim))
    /** One mail; `away`: the relay cannot be reached, `none`: nothing is due. */
    const one = Effect.gen(function* () {
      yield* actor.progress
      const due = yield* next
      if (due === undefined) return "none"
      return (yield* inHand(attempt(due, transport))) ? "sent" : "away"
    })
    /** All that is due, several at a time; false: the relay went away meanwhile. */
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
    /** Rounds in a row that ended with the relay away: then one mail finds out whether it is back. */
    let away = 0
    while (true) {
      yield* actor.progress
      const reached = away > 0 ? (yield* one) !== "away" : yield* all
      if (!reached) {
        away += 1
        yield* actor.note("the relay cannot be reached")
        yield* Effect.sleep(Backoff.delay(relayAway, away, yield* Random.next))
      } else if (away > 0) {
        away = 0
      } else {
        yield* actor.note("waiting for mails")
        yield* wakeup.wait(Duration.min(lookEvery, Duration.millis(Math.max(0, (yield* nextDue) ?? Infinity))))
      }
    }
  })
})

const paced = (pace: TokenBucket) =>
  Effect.flatMap(Clock.currentTimeMillis, (now) => {
    const wait = pace.take(1, now)
    return wait > 0 ? Effect.sleep(wait) : Effect.void
  })

/** When the actor is stopped, what is in hand may come to its end: half done it would go again. */
const inHand = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(Effect.forkDetach(work), (fiber) =>
    Effect.onInterrupt(Fiber.join(fiber), () =>
      Effect.andThen(Effect.timeoutOption(Fiber.await(fiber), drain), Fiber.interrupt(fiber))
    )
  )

/** Tries one mail and writes what became of it; false: the relay cannot be reached. */
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
            }),
          // The key file may be put right.
          SecretError: (error) =>
            Effect.map(Random.next, (random): Next => ({
              _tag: "Again",
              wait: Duration.toMillis(Backoff.delay(putOff, due.attempts, random)),
              error: error.message
            }))
        })
      )
  yield* Metric.update(Metric.withAttributes(ended, { kind: due.kind, end: next._tag.toLowerCase() }), 1)
  if (next._tag !== "Delivered")
    yield* Effect.logWarning(`mail ${due.id} to subscriber ${due.subscriber_id}: ${next.error}`)
  yield* recorded(close(due, next))
  return reached
})

/** The database may be away just now: what was sent is remembered until it is back. */
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
          language: content.lang,
          unsubscribeToken,
          token: Redacted.value(yield* secrets.open(due.envelope ?? "", contextOf(confirmColumn, due.message_id)))
        })
      : noticeMail(content, { transport, language: due.lang, unsubscribeToken })
  return { ...rendered, from: transport.from, to: [due.email], messageId: due.message_id }
})
