/**
 * Sends the daily test alarm. A placed actor enqueues a job per firing, keyed by its Message-ID, so that two actors
 * cannot double it. A firing missed while no process ran is enqueued once at the next start. A worker hands the mail to
 * the SMTP server.
 */
import { Effect, Schema } from "effect"
import { type ClaimedJob, Jobs, define } from "#core/jobs/Jobs.ts"
import * as MailRelay from "#core/mail-relay/MailRelay.ts"
import { tickOf } from "#core/second-path/SecondPath.ts"
import { Actor, type ActorSpec } from "#core/supervision/Supervisor.ts"
import { lastFiring, messageIdOf, type SyntheticAlarm } from "./SyntheticAlarm.ts"

/** A test alarm is due. `firing`: epoch milliseconds. */
export const SyntheticDue = define(
  "alarm.synthetic",
  Schema.Struct({ firing: Schema.Finite, message_id: Schema.String })
)

/**
 * Maximum number of tries of one alarm. Reason: half an hour at a minute each; its absence has been reported by then.
 */
const maxTries = 30

const text = [
  "This is the daily test of the alarm path. Nothing is wrong.",
  "When it does not arrive, the operators are told by mail."
].join("\n")

/** Interval of clock checks. Unit: milliseconds. */
const tick = tickOf(60_000)

/** The placed actor that enqueues the job of each firing. */
export const schedule = (alarm: SyntheticAlarm) =>
  Effect.map(Jobs, (jobs): ActorSpec => ({
    name: "test alarm schedule",
    placed: true,
    run: Effect.gen(function* () {
      const actor = yield* Actor
      let enqueued: number | undefined
      while (true) {
        yield* actor.progress
        const firing = lastFiring(alarm.at, Date.now())
        if (firing !== enqueued) {
          const message_id = messageIdOf(alarm, firing)
          yield* jobs.send(SyntheticDue, [{ data: { firing, message_id }, key: message_id }])
          enqueued = firing
          yield* actor.note(`last due ${new Date(firing).toISOString()}`)
        }
        yield* Effect.sleep(tick)
      }
    })
  }))

/** The job worker that sends the daily test alarm: one mail per scheduled time, handed to the SMTP server. */
export const worker = (alarm: SyntheticAlarm) => ({
  type: SyntheticDue,
  handle: Effect.fnUntraced(function* ({ data, retries }: ClaimedJob<typeof SyntheticDue.data.Type>) {
    // A later firing is due, or the configuration has changed: this mail would prove nothing about today.
    const now = messageIdOf(alarm, lastFiring(alarm.at, Date.now()))
    if (now !== data.message_id) return
    if (retries >= maxTries)
      return yield* Effect.logWarning("the daily test alarm could not be sent; the next one is due tomorrow")
    yield* MailRelay.send(alarm.relay, {
      from: alarm.from,
      to: [alarm.to],
      subject: alarm.subject,
      text,
      messageId: data.message_id,
      headers: { "Auto-Submitted": "auto-generated" }
    })
    yield* Effect.logInfo("the daily test alarm was sent", { message_id: data.message_id })
  })
})
