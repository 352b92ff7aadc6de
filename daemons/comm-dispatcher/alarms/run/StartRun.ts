/**
 * Starts alarm runs. The step `email.parse_subject` accepts or rejects the trigger by its subject; the step
 * `comm.dispatch_actions` queues one delivery job per target.
 * The run, its targets and their jobs are committed together.
 */
import type { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Option, Result } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import type { AlarmTrigger } from "#core/contracts/Alarm.ts"
import { Events } from "#core/events/Events.ts"
import * as JobBatch from "#core/jobs/JobBatch.ts"
import { type ClaimedJob, type ClaimLost, Jobs, keyedId } from "#core/jobs/Jobs.ts"
import type { Database } from "#core/sql/Database.ts"
import { AlarmFinished } from "#core/contracts/Alarm.ts"
import {
  acknowledgedBy,
  type Channel,
  maxSubjectLength,
  type Severity,
  storable,
  storablePayload
} from "../../vocabulary/Exports.ts"
import { admissionOf } from "../../channels/Exports.ts"
import { acknowledgeRun } from "./AcknowledgeRun.ts"
import type { AlarmConfig } from "../Settings.ts"
import { deliveries, deliveryOf } from "../attempt/DeliveryJobs.ts"
import type { DirectRequest } from "../trigger/DirectRequest.ts"
import * as Fallbacks from "./Fallbacks.ts"
import { judge, type Verdict } from "../trigger/JudgeTrigger.ts"
import type { Finished } from "./FinishRun.ts"
import * as Ledger from "../ledger/Ledger.ts"
import * as SenderPolicy from "../trigger/SenderPolicy.ts"
import { placed, type TargetSpec } from "./TargetSpec.ts"

export interface Started {
  readonly id: string
  readonly state: Ledger.RunState
  readonly reason: string | null
  /** The finished run, when it ended at its first step. The caller writes it to the result cache after the commit. */
  readonly finished?: Finished
}

/**
 * Maximum number of triggers in one transaction. Reason: each inserts its targets and jobs, and the first trigger must
 * not wait long.
 */
const batch = 16

export interface TriggerJob {
  readonly job: ClaimedJob<typeof AlarmTrigger.data.Type>
}

export class StartRun extends Context.Service<
  StartRun,
  {
    /** Starts the run of a trigger, once per trigger key, in the caller's transaction. Returns the run's state. */
    readonly start: (
      trigger: typeof AlarmTrigger.data.Type
    ) => Effect.Effect<Started, SqlError.SqlError, SqlClient.SqlClient | PgClient.PgClient>
    /** Starts the run of a trigger job and completes the job. Jobs that arrive together share a transaction. */
    readonly startJob: (trigger: TriggerJob) => Effect.Effect<Started, SqlError.SqlError | ClaimLost>
    /** Starts the run of a direct request, which has no sender to check and no subject to parse. */
    readonly dispatch: (
      request: DirectRequest & { readonly triggerKey: string; readonly tenantId: number }
    ) => Effect.Effect<Started, SqlError.SqlError, SqlClient.SqlClient | PgClient.PgClient>
  }
>()("signalbox/comm-dispatcher/StartRun") {}

/** Id of a trigger's run, derived from the trigger key. */
export const runIdOf = (triggerKey: string): string => keyedId("run", triggerKey)

export const layer = (
  config: AlarmConfig
): Layer.Layer<StartRun, never, Jobs | Events | SqlClient.SqlClient | PgClient.PgClient | Database> =>
  Layer.effect(
    StartRun,
    Effect.gen(function* () {
      const context = yield* Effect.context<Jobs | Events>()
      const policy = Result.getOrThrow(SenderPolicy.make(config))
      const fallbacks = Result.getOrThrow(
        config.fallbacks === undefined ? Result.succeed(Fallbacks.none) : Fallbacks.make(config.fallbacks)
      )

      /** Inserts a run with targets. The delivery jobs are added to `due`. */
      const send = Effect.fnUntraced(function* (
        run: Ledger.NewRun,
        specs: ReadonlyArray<TargetSpec>,
        severity: Severity | null,
        due: Due
      ) {
        const targets = placed(run.malformed ? specs : Fallbacks.apply(fallbacks, specs))
        const ids = yield* Ledger.insertRun(run, targets, Date.now())
        const started: Started = { id: run.id, state: run.state, reason: run.reason }
        if (ids === undefined) return yield* known(run.id, started)
        const first = targets.filter(({ step }) => step === 0).slice(0, run.mode === "sequential" ? 1 : undefined)
        for (const { channel, position, target } of first) {
          const jobs = due.get(channel) ?? []
          jobs.push(deliveryOf(ids[position]!, channel, target, severity))
          due.set(channel, jobs)
        }
        return started
      })

      const sendAll = (due: Due) =>
        Effect.flatMap(Jobs, (jobs) =>
          Effect.forEach(due, ([channel, list]) => jobs.send(deliveries[channel], list), { discard: true })
        )

      /** Inserts a run that ends at its first step. */
      const end = Effect.fnUntraced(function* (run: Ledger.NewRun) {
        const events = yield* Events
        const started: Started = { id: run.id, state: run.state, reason: run.reason }
        if ((yield* Ledger.insertRun(run)) === undefined) return yield* known(run.id, started)
        const state = run.state as Finished["state"]
        const finished: Finished = { run_id: run.id, state, severity: run.severity, targets: 0, delivered: 0 }
        yield* events.emit(AlarmFinished, "comm-dispatcher", finished, { tenantId: run.trigger.tenant_id })
        return { ...started, finished }
      })

      const startAll = Effect.fnUntraced(function* (triggers: ReadonlyArray<typeof AlarmTrigger.data.Type>) {
        // The original text is judged: text replaced for storage could turn a refused subject into an alarm.
        const judged = triggers.map((trigger) => ({
          trigger,
          verdict: judge(trigger.payload, policy, trigger.operator === true, trigger.source, trigger.tenant_id)
        }))
        const keyed = judged.flatMap(({ trigger, verdict }): ReadonlyArray<Ledger.Keyed> =>
          verdict._tag === "Refused" || verdict.duplicateKey === undefined
            ? []
            : [{ id: runIdOf(trigger.trigger_key), key: verdict.duplicateKey }]
        )
        const repeated = yield* Ledger.repeatedRuns(keyed, config.cooldown)
        const due: Due = new Map()
        const started = yield* Effect.forEach(judged, ({ trigger, verdict }) =>
          startOne(trigger, verdict, repeated, due)
        )
        yield* sendAll(due)
        return started
      })

      const startOne = Effect.fnUntraced(function* (
        trigger: typeof AlarmTrigger.data.Type,
        verdict: Verdict,
        repeated: ReadonlySet<string>,
        due: Due
      ) {
        const id = runIdOf(trigger.trigger_key)
        const at = new Date().toISOString()
        const stored = { ...trigger, payload: storablePayload(trigger.payload) }
        const run: Ledger.NewRun = {
          id,
          trigger: stored,
          state: "running",
          reason: null,
          severity: null,
          mode: config.dispatch,
          retry: undefined,
          steps: steps("done", at),
          duplicateKey: undefined,
          malformed: false,
          admit: admissionOf(trigger)
        }
        const over = (state: Ledger.RunState, reason: string, severity: Severity | null = null) =>
          end({ ...run, state, reason, severity, steps: steps(state === "rejected" ? "failed" : "done", at, reason) })
        const duplicate = (severity: Severity | null) =>
          over("duplicate", `the same alarm came within ${config.cooldown} s`, severity)

        switch (verdict._tag) {
          case "Refused":
            yield* Effect.logWarning(`alarm refused: ${verdict.reason}`, { run: id })
            return yield* over("rejected", verdict.reason)
          case "Malformed": {
            const answered = yield* Ledger.answeredRun(trigger.source.in_reply_to ?? [], trigger.tenant_id)
            if (answered !== undefined) {
              const by = acknowledgedBy(`mail from ${stored.payload.email_from}`, undefined)
              const acknowledged = yield* acknowledgeRun(answered, by)
              const started = yield* over("acknowledgement", `acknowledges ${answered}`)
              const finished = Option.isSome(acknowledged) ? acknowledged.value.finished : undefined
              return finished === undefined ? started : { ...started, finished }
            }
            yield* Effect.logWarning(`alarm malformed: ${verdict.error.message}`, { run: id })
            if (config.adminChat === undefined) return yield* over("rejected", verdict.error.message)
            if (repeated.has(id)) return yield* duplicate(null)
            return yield* send(
              {
                ...run,
                reason: verdict.error.message,
                duplicateKey: verdict.duplicateKey,
                malformed: true,
                steps: [
                  { name: "email.parse_subject", state: "failed", detail: verdict.error.message, at },
                  dispatching(at)
                ]
              },
              [{ channel: "messenger", target: config.adminChat }],
              "WARNING",
              due
            )
          }
          case "Accepted": {
            const { alarm, duplicateKey } = verdict
            if (repeated.has(id)) return yield* duplicate(alarm.severity)
            const { retry, severity, targets } = alarm
            return yield* send(
              {
                ...run,
                severity,
                retry,
                duplicateKey,
                steps: [{ name: "email.parse_subject", state: "done", at }, dispatching(at)]
              },
              targets,
              severity,
              due
            )
          }
        }
      })

      const dispatch: StartRun["Service"]["dispatch"] = Effect.fnUntraced(function* ({
        eventType,
        severity,
        targets,
        tenantId,
        text,
        triggerKey
      }) {
        const at = new Date().toISOString()
        const due: Due = new Map()
        const started = yield* send(
          {
            id: runIdOf(triggerKey),
            trigger: {
              trigger_key: triggerKey,
              event_type: eventType,
              payload: storablePayload({ email_subject: headOf(text), email_body: text, email_from: "" }),
              source: { kind: "api" },
              tenant_id: tenantId,
              received_at: at
            },
            state: "running",
            reason: null,
            severity,
            mode: "parallel",
            retry: undefined,
            steps: [dispatching(at)],
            duplicateKey: undefined,
            malformed: false,
            admit: null
          },
          targets,
          severity,
          due
        )
        yield* sendAll(due)
        return started
      }, Effect.provideContext(context)) as StartRun["Service"]["dispatch"]

      return StartRun.of({
        start: (trigger) =>
          Effect.provideContext(
            Effect.map(startAll([trigger]), ([started]) => started!),
            context
          ),
        startJob: yield* JobBatch.make(
          (triggers: ReadonlyArray<TriggerJob>) =>
            Effect.provideContext(startAll(triggers.map(({ job }) => job.data)), context),
          { most: batch }
        ),
        dispatch
      })
    })
  )

/** Delivery jobs per channel, sent together. */
type Due = Map<Channel, Array<ReturnType<typeof deliveryOf>>>

/** Length of the line that replaces a missing subject. Unit: characters. Reason: one line of a list. */
const headLength = 120

const headOf = (text: string): string => {
  const line = text.trim().split(/\r?\n/, 1)[0] ?? ""
  return storable(line.length > headLength ? `${line.slice(0, headLength)}…` : line, maxSubjectLength)
}

/** Steps of a run that ends at its first step. */
const steps = (parsed: "done" | "failed", at: string, detail?: string): ReadonlyArray<Ledger.Step> => [
  { name: "email.parse_subject", state: parsed, ...(detail === undefined ? {} : { detail }), at },
  { name: "comm.dispatch_actions", state: "skipped", at },
  { name: "comm.log_result", state: "done", at }
]

/** The existing run of a repeated trigger. */
const known = (id: string, otherwise: Started) =>
  Effect.map(
    Ledger.getRun(id),
    Option.match({ onNone: () => otherwise, onSome: ({ reason, state }): Started => ({ id, state, reason }) })
  )

const dispatching = (at: string): Ledger.Step => ({ name: "comm.dispatch_actions", state: "running", at })
