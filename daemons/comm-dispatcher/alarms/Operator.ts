/** Implementation of `signalbox alarm …`. */
import { providerTenant } from "#core/auth/Caller.ts"
import { Clock, Console, Duration, Effect, Layer, Option, Result } from "effect"
import { randomUUID } from "node:crypto"
import { hostname } from "node:os"
import * as Cache from "#core/cache/Cache.ts"
import { type CommandFailed, Ended, exitUsage, fail } from "#core/cli/Ending.ts"
import { print } from "#core/cli/Output.ts"
import { fullId } from "#core/cli/ShortId.ts"
import { withStorage } from "#core/cli/Storage.ts"
import { alarmReceived, AlarmTrigger, maxBodyLength } from "#core/contracts/Alarm.ts"
import * as Events from "#core/events/Events.ts"
import * as Incarnation from "#core/cluster/Incarnation.ts"
import * as Jobs from "#core/jobs/Jobs.ts"
import { alarmLanguage } from "#core/config/AlarmSettings.ts"
import { settings } from "#core/config/Environment.ts"
import { operator } from "#core/log/Audit.ts"
import * as SetupSteps from "#core/setup/SetupSteps.ts"
import * as Migrations from "#core/sql/Migrations.ts"
import { transaction } from "#core/sql/Sql.ts"
import * as Wake from "#core/events/Wake.ts"
import { alarmName, runIdOf, RunState, type RunView, RunViews } from "../runs/Exports.ts"
import { acknowledgedBy } from "../vocabulary/Exports.ts"
import { type Acknowledged, acknowledgeRun } from "./run/AcknowledgeRun.ts"
import * as ResultCache from "./run/ResultCache.ts"
import { acknowledgedLines, changes, listLines, runLines, subjectMistake } from "./AlarmReport.ts"
import { parse } from "./subject/AlarmSubject.ts"
import { commDispatcher } from "../Daemon.ts"
import { demoWords } from "./DemoWords.ts"
import { openSink } from "./DemoSink.ts"
import { noteAcknowledgedByOperator } from "./run/RunAudit.ts"

/** Time until a started dispatcher is visible. Unit: milliseconds. Reason: its listener is back within 1 s. */
const sighting = 3_000

/** Time until a dispatcher takes up a trigger. Unit: milliseconds. Reason: far above the usual 5 ms. */
const patience = 10_000

/** Longest wait for the cache. Reason: a person waits for the command. */
const cachePatience = Duration.seconds(2)

/** Interval of ledger polls. Unit: milliseconds. */
const look = 100

const nobodyRuns = "no comm-dispatcher is running: start one with `signalbox run comm-dispatcher` or `signalbox up`"

interface SendFlags {
  readonly subject: Option.Option<string>
  readonly body: string
  readonly from: Option.Option<string>
  readonly wait: boolean
  readonly timeout: number
  readonly json: boolean
}

/** Opens the database and the job engine. */
const withJobs = <A, E, R>(use: Effect.Effect<A, E, R>) =>
  withStorage(
    Effect.andThen(
      Migrations.run(commDispatcher.migrations),
      Effect.scoped(
        Effect.gen(function* () {
          const engine = Jobs.layer([AlarmTrigger.queue]).pipe(
            Layer.provideMerge(Layer.mergeAll(Incarnation.layer(["operator"]), Wake.layer))
          )
          return yield* Effect.provide(
            Effect.andThen(
              // This process claims no jobs, so its row can be removed at once.
              Effect.flatMap(Incarnation.Incarnation, (own) =>
                Effect.addFinalizer(() => Effect.ignore(own.forget(own.id)))
              ),
              use
            ),
            engine
          )
        })
      )
    )
  )

/** Raises an alarm, and follows its run with `--wait`. */
export const send = Effect.fnUntraced(function* (flags: SendFlags) {
  if (Option.isNone(flags.subject))
    return yield* fail('give a subject such as "INFO:WEBHOOK+https://example.org/hook", or --demo', exitUsage)
  const subject = flags.subject.value
  yield* checkSubject(subject)
  yield* withJobs(
    Effect.gen(function* () {
      const id = yield* trigger({ subject, flags })
      if (!flags.wait) {
        yield* print(flags.json, { id }, () => [`Alarm ${id} was accepted. Follow it with: signalbox alarm show ${id}`])
        if (!(yield* dispatcherRuns)) yield* Console.error(`signalbox: the alarm is stored, but ${nobodyRuns}`)
        return
      }
      const run = yield* follow(id, flags.timeout, flags.json)
      if (flags.json) yield* Console.log(JSON.stringify(run, null, 2))
      if (run.state !== "delivered") return yield* new Ended({ code: 1 })
    })
  )
})

/** Sends a webhook to a receiver of this command. Succeeds only when it arrived and the ledger says `delivered`. */
export const demo = Effect.fnUntraced(function* (flags: SendFlags) {
  if (Option.isSome(flags.subject))
    return yield* fail("--demo has its own subject: give a subject or --demo, not both", exitUsage)
  yield* withJobs(
    Effect.gen(function* () {
      // Without a dispatcher the trigger would stay in the queue and later be sent to a receiver that is gone.
      const deadline = (yield* Clock.currentTimeMillis) + sighting
      while (!(yield* dispatcherRuns)) {
        if ((yield* Clock.currentTimeMillis) > deadline) return yield* fail(nobodyRuns)
        yield* Effect.sleep(look)
      }
      const sink = yield* openSink
      const say = (line: string) => (flags.json ? Effect.void : Console.log(line))
      const subject = `INFO:WEBHOOK+${sink.url}`
      const { language } = yield* settings({ language: alarmLanguage })
      yield* say(`receiver listens at ${sink.url}`)
      const id = yield* trigger({
        subject,
        admit: sink.host,
        flags: { ...flags, body: flags.body || demoWords(language).body }
      })
      yield* say(`alarm ${id}: ${subject}`)
      const run = yield* follow(id, flags.timeout, flags.json)
      const arrived = sink.arrived().filter((request) => request.run_id === id)
      for (const request of arrived)
        yield* say(`arrived: POST ${request.path}, Idempotency-Key ${request.key}\n${request.body}`)
      if (flags.json) yield* Console.log(JSON.stringify({ run, arrived }, null, 2))
      if (run.state !== "delivered") return yield* fail(`the alarm ended as ${run.state}`)
      if (arrived.length === 0) return yield* fail("the ledger says delivered, but the receiver got nothing")
      yield* transaction(SetupSteps.mark(SetupSteps.testAlarmStep, "done", operator))
      yield* say("delivered: the receiver got the alarm, and the ledger says delivered")
    })
  )
})

const checkSubject = (subject: string): Effect.Effect<void, CommandFailed> =>
  Result.match(parse(subject), {
    onFailure: (error) => fail(subjectMistake(subject, error), exitUsage),
    onSuccess: () => Effect.void
  })

/** Sends the trigger job. Returns the id of its run. */
const trigger = Effect.fnUntraced(function* (options: {
  readonly subject: string
  readonly admit?: string
  readonly flags: SendFlags
}) {
  const jobs = yield* Jobs.Jobs
  const trigger_key = `operator ${randomUUID()}`
  yield* jobs.send(AlarmTrigger, [
    {
      key: trigger_key,
      data: {
        trigger_key,
        event_type: alarmReceived,
        payload: {
          email_subject: options.subject,
          email_body: options.flags.body.slice(0, maxBodyLength),
          email_from: Option.getOrElse(options.flags.from, () => `operator@${hostname()}`)
        },
        source: { kind: "operator" },
        tenant_id: providerTenant,
        received_at: new Date(yield* Clock.currentTimeMillis).toISOString(),
        operator: true,
        ...(options.admit === undefined ? {} : { admit: options.admit })
      }
    }
  ])
  return runIdOf(trigger_key)
})

const dispatcherRuns = Effect.flatMap(Incarnation.Incarnation, (incarnation) =>
  Effect.map(incarnation.alive, (names) => names.includes(commDispatcher.name))
)

/** Prints the changes of a run until it finishes. */
const follow = Effect.fnUntraced(function* (id: string, timeoutSeconds: number, quiet: boolean) {
  const began = yield* Clock.currentTimeMillis
  let before: RunView | undefined
  while (true) {
    const found = yield* RunViews.getRun(id)
    if (Option.isSome(found)) {
      if (!quiet) for (const line of changes(before, found.value)) yield* Console.log(line)
      before = found.value
      if (before.state !== "running") return before
    }
    const waited = (yield* Clock.currentTimeMillis) - began
    if (before === undefined && waited > patience && !(yield* dispatcherRuns)) {
      return yield* fail(`${nobodyRuns}. The alarm is stored and is sent when one starts: signalbox alarm show ${id}`)
    }
    if (waited > timeoutSeconds * 1000) {
      return yield* fail(
        `the alarm has not ended after ${timeoutSeconds} s; delivery continues: signalbox alarm show ${id}`
      )
    }
    yield* Effect.sleep(look)
  }
})

/** Id of the alarm that the typed text begins. */
const alarmId = (typed: string) => fullId("comm_dispatcher.run", "alarm", typed)

const noSuchAlarm = (id: string) => fail(`the alarm ${id} does not exist; \`signalbox alarm list\` shows the newest`)

/** Prints one run. */
export const show = Effect.fnUntraced(function* (flags: { readonly id: string; readonly json: boolean }) {
  const run = yield* withLedger(Effect.flatMap(alarmId(flags.id), RunViews.getRun))
  if (Option.isNone(run)) return yield* noSuchAlarm(flags.id)
  yield* print(flags.json, run.value, runLines)
})

/** Prints the newest runs. */
export const list = Effect.fnUntraced(function* (flags: {
  readonly state: Option.Option<string>
  readonly limit: number
  readonly json: boolean
}) {
  const asked = Option.getOrUndefined(flags.state)
  const state = RunState.literals.find((known) => known === asked)
  if (asked !== undefined && state === undefined) {
    return yield* fail(`unknown state ${asked}; known states: ${RunState.literals.join(", ")}`, exitUsage)
  }
  const runs = yield* withLedger(
    RunViews.listRuns({ workflow: alarmName, limit: flags.limit, ...(state === undefined ? {} : { state }) })
  )
  yield* print(flags.json, runs, (runs) => listLines(runs, state))
})

/** Writes the result of a run that the acknowledgement finished. The ledger has it, so an outage costs nothing. */
const remember = ({ finished }: Acknowledged) =>
  finished === undefined
    ? Effect.void
    : ResultCache.store(finished).pipe(
        Effect.timeout(cachePatience),
        Effect.catch(({ message }) => Effect.logWarning(`the result is in the ledger only: ${message}`))
      )

/** Acknowledges a run in the name of the operator. */
export const ack = Effect.fnUntraced(function* (flags: {
  readonly id: string
  readonly note: Option.Option<string>
  readonly json: boolean
}) {
  const by = acknowledgedBy(`operator@${hostname()}`, Option.getOrUndefined(flags.note))
  const found = yield* withLedger(
    Effect.flatMap(alarmId(flags.id), (id) =>
      Effect.provide(
        Effect.tap(
          transaction(Effect.tap(acknowledgeRun(id, by), noteAcknowledgedByOperator)),
          Option.match({ onNone: () => Effect.void, onSome: remember })
        ),
        Layer.mergeAll(Events.layer.pipe(Layer.provide(Wake.layer)), Cache.layer)
      )
    )
  )
  if (Option.isNone(found)) return yield* noSuchAlarm(flags.id)
  const { finished: _, first: __, tenant_id: ___, ...acknowledged } = found.value
  yield* print(flags.json, acknowledged, acknowledgedLines)
})

const withLedger = <A, E, R>(use: Effect.Effect<A, E, R>) =>
  withStorage(Effect.andThen(Migrations.run(commDispatcher.migrations), use))
