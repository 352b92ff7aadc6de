/**
 * One mail of the SMTP listener, from its bytes to the reply: read, then one short transaction. 250 stands for a
 * committed trigger; everything else is a reply that makes a mail server try again. A mail that is cut off is no mail.
 */
import { Duration, Effect } from "effect"
import { randomUUID } from "node:crypto"
import type { SMTPServerDataStream, SMTPServerSession } from "smtp-server"
import { SqlClient } from "effect/sql"
import * as Backoff from "#core/supervision/Backoff.ts"
import { AlarmTrigger } from "#core/contracts/Alarm.ts"
import { Jobs } from "#core/jobs/Jobs.ts"
import { MailReader } from "../intake/MailReader.ts"
import * as Triggers from "../intake/Triggers.ts"

/**
 * How long a mail waits for a database that is away. Unit: seconds. Reason: outlives a restart of Postgres; devices
 * give up at about 30 s (RFC 5321 §4.5.3.2.6 asks for 10 minutes).
 */
const commitPatience = Duration.seconds(10)

/**
 * Bytes of unfinished mails held at once. Unit: bytes. Reason: six of the largest; beyond it senders are told to wait.
 */
const maxHeld = 64 * 1024 * 1024

/** A refusal as the client reads it. */
export class SmtpReply extends Error {
  readonly responseCode: number
  constructor(code: number, text: string) {
    super(text)
    this.responseCode = code
  }
}

const busy = new SmtpReply(452, "Too much mail at once, try again later")
const away = new SmtpReply(451, "The alarm cannot be stored right now, try again later")

/** Collects mails within bounds that all connections share. */
export const makeCollector = () => {
  let held = 0
  /** The bytes of a mail once its last dot is in; undefined when the connection ended before. */
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
      // What is too large is refused by the server with 552; it only must not be kept.
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

/** Makes the mail an alarm; the text of the 250, or the refusal. */
export const accept = (
  mail: Uint8Array,
  session: SMTPServerSession
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
      // What onAuth said yes to; false, against its type, before that and after STARTTLS.
      authenticated: Boolean(session.user)
    })
    const parsed = yield* reader.read(mail)
    if (!parsed.whole)
      yield* Effect.logWarning("a mail could not be taken apart: its header and text are used as they stand")
    // One key for all tries: a commit whose answer was lost is not repeated.
    const key = `smtp:${randomUUID()}`
    const trigger = Triggers.make(key, parsed, source, new Date())
    yield* sql.withTransaction(jobs.send(AlarmTrigger, [{ data: trigger, key }])).pipe(
      Effect.retry({ schedule: Backoff.schedule(Backoff.eager) }),
      Effect.timeout(commitPatience),
      Effect.tapError((error) =>
        Effect.logError(`an alarm mail could not be stored and was put off: ${error.message}`)
      ),
      Effect.mapError(() => away)
    )
    yield* Effect.logInfo(`took a mail from ${session.remoteAddress} as ${key}`)
    return `OK: alarm ${key}`
  }).pipe(
    // The outermost edge of a mail: whatever broke here, the client is asked to come again and the connection lives.
    Effect.catchDefect((defect) => Effect.andThen(Effect.logError("taking a mail broke", defect), Effect.fail(away)))
  )
