/**
 * Asks another daemon and waits for its answer: for data that only its owner may hand out, such as passwords, at the
 * moment it is needed. Everything else is an event or a job.
 *
 * A request is a row of `core.request`. Request and answer are sealed, so neither a backup nor a reader of the table
 * sees a secret. NOTIFY wakes the other side, in whichever process it runs. The asking process deletes the row,
 * answered or not. A request is not durable: its caller waits, and asks again later.
 *
 * Entities of effect/cluster are not used, because they store messages and answers in plain text for a day.
 */
import { Context, Duration, Effect, Option, Redacted, Schema } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { randomUUID } from "node:crypto"
import { Secrets } from "../config/Secrets.ts"
import { Wake } from "../events/Wake.ts"
import {
  answerContext,
  answeredTopic,
  askedTopic,
  bodyContext,
  NoAnswer,
  RequestRefused,
  type RequestType,
  type StoredAnswer
} from "./RequestContract.ts"

/** Longest wait for an answer. Unit: seconds. Reason: a person waits; the other daemon restarts in this time. */
export const AnswerWithin = Context.Reference<Duration.Duration>("signalbox/core/requests/AnswerWithin", {
  defaultValue: () => Duration.seconds(5)
})

/** Interval at which an unanswered request is announced again. Reason: a lost NOTIFY costs only this delay. */
const repeatEvery = Duration.millis(500)

/**
 * Asks, outside of any transaction. Fails with `NoAnswer` when no process answers in time or the answering daemon
 * fails, and with `RequestRefused` when that daemon refuses.
 */
export const ask = <Ask, AskEncoded, Reply, ReplyEncoded>(
  request: RequestType<Ask, AskEncoded, Reply, ReplyEncoded>,
  data: Ask
): Effect.Effect<Reply, NoAnswer | RequestRefused | SqlError.SqlError, SqlClient.SqlClient | Wake | Secrets> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const wake = yield* Wake
    const secrets = yield* Secrets
    const within = yield* AnswerWithin
    const { type } = request
    const id = randomUUID()
    const encoded = yield* Effect.orDie(Schema.encodeEffect(request.ask)(data))
    // An unreadable key file is an error of the installation, which no caller can handle.
    const body = yield* Effect.orDie(secrets.seal(Redacted.make(JSON.stringify(encoded)), bodyContext(id)))
    const wakeup = yield* wake.subscribe(answeredTopic(id))
    const announcement = wake.announcement(askedTopic(type))
    const insert = sql`with asked as (insert into core.request (id, type, body, expires_at)
      values (${id}, ${type}, ${body}, now() + make_interval(secs => ${Duration.toSeconds(within)}))) ${announcement}`
    const wait = Effect.gen(function* () {
      yield* insert
      while (true) {
        const [row] = yield* sql<{ answer: string | null }>`select answer from core.request where id = ${id}`
        // The row is gone when the database server has crashed, because the table is unlogged.
        if (row === undefined) return undefined
        if (row.answer !== null) return row.answer
        yield* wakeup.wait(repeatEvery)
        yield* announcement
      }
    })
    const found = yield* wait.pipe(
      Effect.timeoutOption(within),
      Effect.ensuring(Effect.ignore(sql`delete from core.request where id = ${id}`))
    )
    const envelope = Option.getOrUndefined(found)
    if (envelope === undefined) return yield* new NoAnswer({ type, detail: "no daemon answered in time" })
    const opened = yield* Effect.orDie(secrets.open(envelope, answerContext(id)))
    const answer = JSON.parse(Redacted.value(opened)) as StoredAnswer
    if (answer.kind === "refused") return yield* new RequestRefused({ type, reason: answer.reason })
    if (answer.kind === "failed") return yield* new NoAnswer({ type, detail: "the answering daemon failed" })
    return yield* Effect.orDie(Schema.decodeUnknownEffect(request.reply)(answer.reply))
  }).pipe(Effect.scoped)
