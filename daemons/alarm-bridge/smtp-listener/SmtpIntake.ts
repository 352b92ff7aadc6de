/**
 * Processes one mail of the SMTP listener: parses it and stores the alarm in one short transaction. The reply 250 means
 * that the alarm is committed. Any other reply makes the sender retry. A mail that is cut off is discarded.
 */
import { type Cause, Duration, Effect, Exit, Fiber } from "effect"
import type { SMTPServerDataStream, SMTPServerSession } from "smtp-server"
import { SqlClient } from "effect/sql"
import * as Backoff from "#core/supervision/Backoff.ts"
import { AlarmTrigger } from "#core/contracts/Alarm.ts"
import { Jobs } from "#core/jobs/Jobs.ts"
import { MailReader } from "../intake/MailReader.ts"
import * as Triggers from "../intake/Triggers.ts"
import type { UnsureMails } from "./UnsureMails.ts"

/**
 * Longest wait for the database before the sender is asked to try again. Unit: seconds. Reason: outlasts most restarts
 * of Postgres; simple devices give up after a few seconds (RFC 5321 §4.5.3.2.6 asks for 10 minutes).
 */
const commitPatience = Duration.seconds(3)

/**
 * Maximum memory for unfinished mails. Unit: bytes. Reason: six of the largest; beyond it senders get a 452 and retry.
 */
const maxHeld = 64 * 1024 * 1024

/** SMTP refusal that the client receives. */
export class SmtpReply extends Error {
  readonly responseCode: number
  constructor(code: number, text: string) {
    super(text)
    this.responseCode = code
  }
}

const busy = new SmtpReply(452, "Too many mails at once, try again later")
const away = new SmtpReply(451, "The alarm cannot be stored right now, try again later")

/** Creates a collector of mails. All connections share its memory limit. */
export const makeCollector = () => {
  let held = 0
  /**
   * Collects one mail. Calls `done` with its bytes, with a refusal, or with undefined when the connection ended early.
   */
  return (stream: SMTPServerDataStream, done: (mail: Buffer | SmtpReply | undefined) => void): void => {
    let chunks: Array<Buffer> = []
    let size = 0
    let dropped = false
    const release = () => {
      held -= size
      size = 0
      chunks = []
    }
    stream.on("data", (chunk: Buffer) => {
      if (dropped) return
      // The server itself refuses an oversized mail with 552; here its bytes are only discarded.
      if (stream.sizeExceeded || held + chunk.length > maxHeld) {
        dropped = true
        release()
        return
      }
      held += chunk.length
      size += chunk.length
      chunks.push(chunk)
    })
    stream.once("error", () => {
      release()
      done(undefined)
    })
    stream.once("end", () => {
      const mail = dropped ? busy : Buffer.concat(chunks)
      release()
      done(mail)
    })
  }
}

/** Stores the mail as an alarm and returns the text of the 250; fails with the refusal. */
export const accept = (
  mail: Uint8Array,
  session: SMTPServerSession,
  unsure: UnsureMails
): Effect.Effect<string, SmtpReply, SqlClient.SqlClient | Jobs | MailReader> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const jobs = yield* Jobs
    const reader = yield* MailReader
    const { mailFrom, rcptTo } = session.envelope
    const source = Triggers.smtpSource({
      from: mailFrom === false ? "" : mailFrom.address,
      to: rcptTo.map(({ address }) => address),
      client: session.remoteAddress,
      // `user` is set by onAuth. Despite its type it is false before sign-in and after STARTTLS.
      authenticated: Boolean(session.user)
    })
    const parsed = yield* reader.read(mail)
    if (!parsed.whole) yield* Effect.logWarning("a mail could not be parsed: its raw header and text are used")
    // All attempts use the same key, so a retry after a lost commit response creates no second alarm.
    const { key, refused } = unsure.take(
      mail,
      mailFrom === false ? "" : mailFrom.address,
      rcptTo.map(({ address }) => address)
    )
    const trigger = Triggers.make(key, parsed, source, new Date())
    yield* sql.withTransaction(jobs.send(AlarmTrigger, [{ data: trigger, key }])).pipe(
      Effect.retry({ schedule: Backoff.schedule(Backoff.eager) }),
      within(commitPatience),
      Effect.tapError((error) => {
        refused()
        return Effect.logError(`an alarm mail could not be stored and was refused temporarily: ${error.message}`)
      }),
      Effect.mapError(() => away)
    )
    yield* Effect.logInfo(`accepted a mail from ${session.remoteAddress} as ${key}`)
    return `OK: alarm ${key}`
  }).pipe(
    // Any defect becomes a temporary refusal: the client retries and the connection stays open.
    Effect.catchDefect((defect) =>
      Effect.andThen(Effect.logError("processing a mail failed", defect), Effect.fail(away))
    )
  )

/**
 * Fails after `limit` even if the interruption lasts longer: a statement that a silent Postgres does not answer is
 * cancelled over a second connection, which takes up to 5 s more.
 */
const within =
  (limit: Duration.Duration) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | Cause.TimeoutError, R> =>
    Effect.flatMap(Effect.forkDetach(effect), (fiber) =>
      Fiber.join(fiber).pipe(
        Effect.timeout(limit),
        Effect.onExit((exit) => (Exit.isSuccess(exit) ? Effect.void : Effect.sync(() => fiber.interruptUnsafe())))
      )
    )
