/** State of the mail queue for `/health`, read from the table regularly in every process. */
import { Context, Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type Component, healthSentence } from "#core/daemon/Health.ts"
import { liveSettings } from "#core/settings/LiveSettings.ts"
import { Actor, type ActorSpec } from "#core/supervision/Supervisor.ts"
import { Wake } from "#core/events/Wake.ts"
import { mailTopic } from "./MailStore.ts"
import { type MailTransport, neededSettings, presentTransport } from "./MailTransport.ts"
import { transportSettings } from "./Settings.ts"

/** Interval of reads. Unit: seconds. */
const lookEvery = Duration.seconds(15)

/**
 * Delay of a due mail from which health is degraded. Unit: seconds. Reason: shorter outages of the relay need no
 * operator.
 */
export const overdue = 300

export interface Facts {
  /** Pending mails and mails being sent. */
  readonly queued: number
  /** Age of the oldest of them. Unit: seconds; null when there is none. */
  readonly oldest_s: number | null
  /** Time since the first mail was due. Unit: seconds; null when none is due. */
  readonly overdue_s: number | null
  /** Mails given up within a day. */
  readonly failed_last_day: number
  /** Latest error of a queued mail, or of one given up within a day. In our own words, without the relay's text. */
  readonly last_error: string | null
  readonly subscribers: number
  /** Confirmed subscribers whose last mail was refused. */
  readonly unreachable: number
}

export class MailQueue extends Context.Service<
  MailQueue,
  {
    readonly health: () => Component
    /** Keeps the facts current. Runs in every process. */
    readonly actor: ActorSpec<SqlClient.SqlClient | Wake>
  }
>()("signalbox/status-checker/MailQueue") {}

export const read = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [facts] = yield* sql<Facts>`select
      (select count(*)::int from status_checker.mails where state in ('pending', 'attempting')) as queued,
      (select extract(epoch from now() - min(created_at))::int from status_checker.mails
      where state in ('pending', 'attempting')) as oldest_s,
      (select extract(epoch from now() - min(next_at))::int from status_checker.mails where state = 'pending'
      and next_at <= now()) as overdue_s,
      (select count(*)::int from status_checker.mails where state = 'failed'
      and done_at > now() - interval '1 day') as failed_last_day,
      (select last_error from status_checker.mails where last_error is not null and (done_at is null
      or done_at > now() - interval '1 day')
        order by coalesce(done_at, next_at) desc limit 1) as last_error,
      (select count(*)::int from status_checker.subscribers where status = 'confirmed') as subscribers,
      (select count(*)::int from status_checker.subscribers where status = 'confirmed' and refusals > 0) as unreachable`
  return facts!
})

/** Pure. */
export const verdict = (transport: MailTransport | undefined, facts: Facts | undefined): Component =>
  transport === undefined
    ? { status: "unconfigured", detail: `${neededSettings.join(", ")} are needed before anybody can subscribe` }
    : facts === undefined
      ? { status: "ok" }
      : (facts.overdue_s ?? 0) > overdue
        ? {
            status: "degraded",
            detail:
              healthSentence(`mails have waited for ${facts.overdue_s} s`) +
              (facts.last_error === null ? "" : `; ${facts.last_error}`),
            ...facts
          }
        : { status: "ok", ...facts }

/** Queue of the settings. */
export const mailQueue = Layer.unwrap(
  Effect.map(liveSettings(transportSettings), (config) => layer(presentTransport(config)))
)

export const layer = (transport: () => MailTransport | undefined): Layer.Layer<MailQueue> =>
  Layer.sync(MailQueue, () => {
    let facts: Facts | undefined
    return MailQueue.of({
      health: () => verdict(transport(), facts),
      actor: {
        name: "mail queue",
        run: Effect.gen(function* () {
          const actor = yield* Actor
          const wakeup = yield* (yield* Wake).subscribe(mailTopic)
          while (true) {
            yield* actor.progress
            facts = yield* read
            yield* wakeup.wait(lookEvery)
          }
        })
      }
    })
  })
