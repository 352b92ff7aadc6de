/**
 * The actor of a daemon that answers one kind of request (Requests.ts). It runs in every process of the daemon; each
 * request is answered by one of them. A request that has expired is not begun, and one that takes longer is
 * interrupted, so that no side effect happens after the asker has given up.
 */
import { Duration, Effect, Exit, FiberSet, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Secrets } from "../config/Secrets.ts"
import { Wake } from "../events/Wake.ts"
import { Actor, type ActorSpec, Supervisor } from "../supervision/Supervisor.ts"
import {
  answerContext,
  answeredTopic,
  askedTopic,
  bodyContext,
  RequestRefused,
  type RequestType,
  type StoredAnswer
} from "./RequestContract.ts"

/** Maximum number of requests answered at the same time, per process. Reason: each may hash or seal a password. */
const concurrency = 8

/** Maximum wait without a NOTIFY. Unit: seconds. The asking process repeats its NOTIFY, so a lost one costs less. */
const lookInterval = Duration.seconds(30)

/** Maximum time to give requests back when the actor ends. Unit: seconds. Reason: the whole stop has 20 s. */
const giveBackTime = Duration.seconds(2)

/** Wait before the next look while `concurrency` requests are being answered. Unit: milliseconds. */
const busyWait = Duration.millis(50)

interface Claimed {
  readonly id: string
  readonly body: string
  /** Time until the asker gives up. Unit: milliseconds. */
  readonly left: number
}

export interface Responder<Ask, AskEncoded, Reply, ReplyEncoded, E, R> {
  readonly request: RequestType<Ask, AskEncoded, Reply, ReplyEncoded>
  /**
   * Answers, or refuses with `RequestRefused`. Every other failure is logged, and the asker is told that the daemon
   * failed. May be interrupted.
   */
  readonly answer: (data: Ask) => Effect.Effect<Reply, E | RequestRefused, R>
}

/** Registers the responder of the feature that is being built. */
export const register = <Ask, AskEncoded, Reply, ReplyEncoded, E, R>(
  responder: Responder<Ask, AskEncoded, Reply, ReplyEncoded, E, R>
) => Supervisor.actor(actorOf(responder))

/** The actor of a responder. */
export const actorOf = <Ask, AskEncoded, Reply, ReplyEncoded, E, R>({
  answer,
  request
}: Responder<Ask, AskEncoded, Reply, ReplyEncoded, E, R>): ActorSpec<R | SqlClient.SqlClient | Wake | Secrets> => {
  const { type } = request
  const run = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const wake = yield* Wake
    const secrets = yield* Secrets
    const actor = yield* Actor
    const wakeup = yield* wake.subscribe(askedTopic(type))
    /** Claimed requests whose answer has not begun. An answer that has begun may have had side effects. */
    const notBegun = new Set<string>()

    const giveBack = Effect.gen(function* () {
      if (notBegun.size === 0) return
      yield* sql`with returned as (update core.request set claimed_at = null
          where id = any(${[...notBegun]}::uuid[]) and answer is null)
        ${wake.announcement(askedTopic(type))}`
    })
    // Runs after the set has interrupted the requests in work.
    yield* Effect.addFinalizer(() => Effect.ignore(Effect.timeout(giveBack, giveBackTime)))
    const inWork = yield* FiberSet.make()

    const claim = (count: number) =>
      sql<Claimed>`update core.request set claimed_at = now() where id in (
          select id from core.request where type = ${type} and claimed_at is null and expires_at > now()
          order by created_at limit ${count} for update skip locked)
        returning id, body, (extract(epoch from expires_at - now()) * 1000)::float8 as left`.pipe(
        Effect.tap((claimed) => Effect.sync(() => claimed.forEach(({ id }) => notBegun.add(id)))),
        // An interrupted statement may have claimed requests that nobody would know of.
        Effect.uninterruptible
      )

    const work = ({ body, id, left }: Claimed) =>
      Effect.gen(function* () {
        const opened = yield* secrets.open(body, bodyContext(id))
        const data = yield* Schema.decodeUnknownEffect(request.ask)(JSON.parse(Redacted.value(opened)))
        notBegun.delete(id)
        const reply = yield* answer(data)
        return yield* Schema.encodeEffect(request.reply)(reply)
      }).pipe(
        Effect.map((reply): StoredAnswer => ({ kind: "reply", reply })),
        Effect.catchIf(
          (error) => error instanceof RequestRefused,
          (error) => Effect.succeed<StoredAnswer>({ kind: "refused", reason: error.reason })
        ),
        Effect.timeoutOption(Duration.millis(left)),
        Effect.exit,
        // The outer edge of one request: its failure must not end the others.
        Effect.flatMap((exit) => {
          notBegun.delete(id)
          if (Exit.isFailure(exit))
            return Effect.andThen(
              Effect.logError(`a request of ${type} failed`, exit.cause),
              store(id, { kind: "failed" })
            )
          return exit.value._tag === "None" ? Effect.void : store(id, exit.value.value)
        }),
        Effect.catch((error) => Effect.logWarning(`an answer of ${type} cannot be stored: ${String(error)}`))
      )

    const store = Effect.fnUntraced(function* (id: string, answer: StoredAnswer) {
      const envelope = yield* secrets.seal(Redacted.make(JSON.stringify(answer)), answerContext(id))
      yield* sql`with answered as (update core.request set answer = ${envelope} where id = ${id})
        ${wake.announcement(answeredTopic(id))}`
    })

    while (true) {
      yield* actor.progress
      const free = concurrency - (yield* FiberSet.size(inWork))
      if (free <= 0) {
        yield* wakeup.wait(busyWait)
        continue
      }
      const claimed = yield* claim(free)
      for (const one of claimed) yield* FiberSet.run(inWork, work(one))
      if (claimed.length < free) yield* wakeup.wait(lookInterval)
    }
  })
  return { name: `requests ${type}`, run }
}
