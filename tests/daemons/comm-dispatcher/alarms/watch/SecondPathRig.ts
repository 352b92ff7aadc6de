/**
 * The dispatcher's second path alone: the ledger's tables on a real Postgres, the watches and a relay. Tests insert the
 * rows.
 */
import { Context, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { Environment } from "#core/config/Environment.ts"
import * as Health from "#core/daemon/Health.ts"
import { declaredQueues } from "#core/jobs/JobContract.ts"
import * as Migrations from "#core/sql/Migrations.ts"
import type { ConnectionTarget } from "#core/postgres/ConnectionTarget.ts"
import { Supervisor } from "#core/supervision/Supervisor.ts"
import { commDispatcher } from "#daemons/comm-dispatcher/Daemon.ts"
import { SyntheticDue } from "#daemons/comm-dispatcher/alarms/synthetic/SyntheticSchedule.ts"
import { alarmWatches, type WatchConfig } from "#daemons/comm-dispatcher/alarms/watch/AlarmWatches.ts"
import * as Undelivered from "#daemons/comm-dispatcher/alarms/watch/Undelivered.ts"
import { frame, until } from "#support/Frame.ts"
import type * as MailSink from "#support/MailSink.ts"
import { freshDatabase, temporaryDirectory } from "#support/Postgres.ts"
import { settingsInMemory } from "#support/SettingsInMemory.ts"

/**
 * Length of a minute. Unit: milliseconds. An undelivered alarm is reported after ten minutes, a lost database after
 * three; pauses are five.
 */
export const minute = 50

export const config: WatchConfig = {
  minute,
  cooldown: 600,
  allowedSenders: ["device@ok.test"],
  allowedDomains: [],
  heartbeatChat: "4711",
  syntheticAt: undefined,
  syntheticFrom: undefined,
  syntheticTargets: undefined,
  syntheticTo: undefined,
  syntheticRelay: undefined,
  noticeRelay: undefined,
  alarmSmtpPort: 1
}

/** SMTP URL of a sink, as a setting. */
export const relayOf = (sink: MailSink.MailSink) => Redacted.make(`smtp://127.0.0.1:${sink.port}`)

/** One life of the process; the end of the scope ends it. */
export const start = Effect.fnUntraced(function* (
  sink: MailSink.MailSink,
  options: {
    readonly target?: ConnectionTarget
    readonly config?: Partial<WatchConfig>
    readonly admin?: string
    readonly names?: ReadonlyArray<string>
    /** Directory of an earlier life of the process. */
    readonly dataDir?: string
  } = {}
) {
  const target = options.target ?? (yield* freshDatabase).target
  const platform = yield* frame({
    target,
    queues: [SyntheticDue.queue],
    ...(options.names === undefined ? {} : { names: options.names })
  })
  const all = { ...config, ...options.config }
  yield* Effect.provideContext(Migrations.run(commDispatcher.migrations), platform)
  const parts = yield* Layer.build(
    alarmWatches(all).pipe(
      Layer.provideMerge(
        Layer.mergeAll(Undelivered.layer, Health.layer, declaredQueues([SyntheticDue]), settingsInMemory())
      )
    )
  ).pipe(
    Effect.provideContext(platform),
    Effect.provideService(Environment, {
      SIGNALBOX_DATA_DIR: options.dataDir ?? (yield* temporaryDirectory()),
      SIGNALBOX_ADMIN_EMAIL: options.admin ?? "boss@example.test",
      SIGNALBOX_NOTICE_SMTP_URL: `smtp://127.0.0.1:${sink.port}`,
      SIGNALBOX_NOTICE_FROM: "signalbox@example.test"
    })
  )
  const sql = Context.get(platform, SqlClient.SqlClient)
  const supervisor = Context.get(platform, Supervisor)
  yield* supervisor.startRegistered
  const addRun = (
    run: {
      readonly id: string
      readonly ageMinutes?: number
      readonly event?: string
      readonly messageId?: string
      readonly state?: string
    },
    targets: ReadonlyArray<{
      readonly channel: string
      readonly state: string
      readonly chain?: number
      readonly reason?: string
    }> = []
  ) =>
    // In one transaction, because a watch that reads only some of the targets reports what is not true.
    Effect.gen(function* () {
      const age = ((run.ageMinutes ?? 0) * minute) / 1_000
      const source = JSON.stringify({
        kind: "smtp",
        ...(run.messageId === undefined ? {} : { message_id: run.messageId })
      })
      const state = run.state ?? "running"
      yield* sql`insert into comm_dispatcher.run (id, trigger_key, tenant_id, event_type, state, severity, subject, body, sender, mode,
          source, steps, received_at, created_at, finished_at)
        values (${run.id}::uuid, ${run.id}, 1, ${run.event ?? "email.alarm.received"}, ${state}, 'ALERT', 's', 'b', 'x@ok.test', 'parallel',
          ${source}::text::jsonb, '[]', now(), now() - make_interval(secs => ${age}), ${state === "running" ? null : sql`now()`})`
      for (const [position, { chain, channel, reason, state }] of targets.entries()) {
        yield* sql`insert into comm_dispatcher.target (run_id, tenant_id, position, chain, step, channel, target, state, record)
          values (${run.id}::uuid, 1, ${position}, ${chain ?? position}, 0, ${channel}, ${`secret-target-${position}`}, ${state},
            ${JSON.stringify({ reason: reason ?? null })}::text::jsonb)`
      }
    }).pipe(sql.withTransaction)
  const subjects = () => sink.mails.map(({ mail }) => mail.subject?.replace(/^Signalbox on [^:]*: /, "") ?? "")
  return {
    sql,
    addRun,
    subjects,
    undelivered: Context.get(parts, Undelivered.Undelivered),
    components: Effect.map(Context.get(parts, Health.Health).report, ({ components }) => components),
    statuses: supervisor.statuses,
    /** Waits for the first mail whose subject or text contains the words, and returns it. */
    mail: (words: string | RegExp, seconds = 20) =>
      Effect.andThen(
        until(
          `a mail with “${words}”; there are ${subjects().join("; ")}`,
          Effect.sync(() => find(sink, words) !== undefined),
          seconds
        ),
        Effect.sync(() => find(sink, words)!)
      )
  }
})

const find = (sink: MailSink.MailSink, words: string | RegExp) =>
  sink.mails.find(({ mail }) => {
    const text = `${mail.subject}\n${mail.text}`
    return typeof words === "string" ? text.includes(words) : words.test(text)
  })

export const runId = (n: number): string => `00000000-0000-8000-a000-${String(n).padStart(12, "0")}`
