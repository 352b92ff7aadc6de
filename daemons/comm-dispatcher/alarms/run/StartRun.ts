/**
 * Starts alarm runs. The step `email.parse_subject` accepts or rejects the trigger by its subject; the step
 * `comm.dispatch_actions` queues one delivery job per target.
 * The run, its targets and their jobs are committed together.
 */
import type { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Option, Result } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import type { AlarmTrigger } from "#core/contracts/Alarm.ts"
import type { Events } from "#core/events/Events.ts"
import * as JobBatch from "#core/jobs/JobBatch.ts"
import { type ClaimedJob, type ClaimLost, Jobs } from "#core/jobs/Jobs.ts"
import { StoredSettings } from "#core/settings/StoredSettings.ts"
import type { Database } from "#core/sql/Database.ts"
import { Ledger, type NewRun, runIdOf, type RunState, type RunTrigger, RunViews, StepPlan } from "../../runs/Exports.ts"
import { acknowledgedBy, type Channel, headline, type Severity, storablePayload } from "../../vocabulary/Exports.ts"
import { admissionOf } from "../../channels/Exports.ts"
import { acknowledgeRun } from "./AcknowledgeRun.ts"
import { alarmWorkflow, dispatchActions } from "../AlarmWorkflow.ts"
import { type AlarmConfig, senderSettings } from "../Settings.ts"
import { aheadOf, deliveries, deliveryOf, type DueTarget } from "../attempt/DeliveryJobs.ts"
import type { DirectRequest } from "../trigger/DirectRequest.ts"
import { answeredRun, type Keyed, repeatedRuns } from "./EarlierRuns.ts"
import * as Fallbacks from "./Fallbacks.ts"
import { maskTargets } from "../subject/MaskTargets.ts"
import { AlarmReply, replyFor } from "../reply/Reply.ts"
import { mayReachPrivate } from "../trigger/PrivateRanges.ts"
import { judge, type Verdict } from "../trigger/JudgeTrigger.ts"
import { type Finished, tellFinished } from "./FinishRun.ts"
import * as SenderPolicy from "../trigger/SenderPolicy.ts"
import { placed, type TargetSpec } from "./TargetSpec.ts"

export interface Started {
  readonly id: string
  readonly state: RunState
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
    /**
     * Starts the run of a trigger, once per trigger key, in the caller's transaction. Returns the run's state. The
     * caller refreshes the stored settings before the transaction.
     */
    readonly start: (
      trigger: typeof AlarmTrigger.data.Type
    ) => Effect.Effect<Started, SqlError.SqlError, SqlClient.SqlClient | PgClient.PgClient>
    /** Starts the run of a trigger job and completes the job. Jobs that arrive together share a transaction. */
    readonly startJob: (trigger: TriggerJob) => Effect.Effect<Started, SqlError.SqlError | ClaimLost>
    /** Starts the run of a direct request, which has no sender to check and no subject to parse. */
    readonly dispatch: (
      request: DirectRequest & {
        readonly triggerKey: string
        readonly tenantId: number
        /** User who asks; undefined for service tokens. */
        readonly userId: number | undefined
      }
    ) => Effect.Effect<Started, SqlError.SqlError, SqlClient.SqlClient | PgClient.PgClient>
  }
>()("signalbox/comm-dispatcher/StartRun") {}

export const layer = (
  config: AlarmConfig
): Layer.Layer<StartRun, never, Jobs | Events | SqlClient.SqlClient | PgClient.PgClient | Database | StoredSettings> =>
  Layer.effect(
    StartRun,
    Effect.gen(function* () {
      const context = yield* Effect.context<Jobs | Events>()
      const { fresh, value } = yield* StoredSettings
      const policyNow = SenderPolicy.cached(config, () => ({
        allowedSenders: value(senderSettings.allowedSenders),
        allowedDomains: value(senderSettings.allowedDomains)
      }))
      const fallbacks = Result.getOrThrow(
        config.fallbacks === undefined ? Result.succeed(Fallbacks.none) : Fallbacks.make(config.fallbacks)
      )

      /** Inserts a run with targets. The delivery jobs are added to `due`. */
      const send = Effect.fnUntraced(function* (
        run: NewRun,
        specs: ReadonlyArray<TargetSpec>,
        severity: Severity | null,
        due: Due
      ) {
        const targets = placed(run.malformed === true ? specs : Fallbacks.apply(fallbacks, specs), Date.now())
        const ids = yield* Ledger.begin(run, targets)
        const started = startedOf(run)
        if (ids === undefined) return yield* known(started)
        const first = targets.filter(({ step }) => step === 0).slice(0, run.mode === "sequential" ? 1 : undefined)
        for (const { channel, position, target } of first) {
          const jobs = due.get(channel) ?? []
          const one: DueTarget = { id: ids[position]!, channel, target, severity }
          const { source, tenantId } = run.trigger
          jobs.push(deliveryOf(one, "user_id" in source ? yield* aheadOf(tenantId, one) : undefined))
          due.set(channel, jobs)
        }
        return started
      })

      /** Tells an authenticated sender what was wrong with the subject. */
      const replyTo = Effect.fnUntraced(function* (trigger: typeof AlarmTrigger.data.Type, mistake: string) {
        const reply = replyFor(trigger, mistake, policyNow().authenticity !== undefined, Date.now())
        if (reply !== undefined) yield* (yield* Jobs).send(AlarmReply, [reply])
      })

      const sendAll = (due: Due) =>
        Effect.flatMap(Jobs, (jobs) =>
          Effect.forEach(due, ([channel, list]) => jobs.send(deliveries[channel], list), { discard: true })
        )

      /** Inserts a run that ends at its first step. */
      const end = Effect.fnUntraced(function* (run: NewRun, mistake: { readonly mistake?: string } = {}) {
        const started = startedOf(run)
        if ((yield* Ledger.begin(run)) === undefined) return yield* known(started)
        const state = run.state as Finished["state"]
        const severity = run.severity ?? null
        const finished: Finished = { run_id: started.id, state, severity, targets: 0, delivered: 0, ...mistake }
        yield* tellFinished([{ data: finished, tenantId: run.trigger.tenantId }])
        return { ...started, finished }
      })

      const startAll = Effect.fnUntraced(function* (triggers: ReadonlyArray<typeof AlarmTrigger.data.Type>) {
        // The original text is judged: text replaced for storage could turn a refused subject into an alarm.
        const policy = policyNow()
        const judged = triggers.map((trigger) => ({
          trigger,
          verdict: judge(trigger.payload, policy, trigger.operator === true, trigger.source, trigger.tenant_id)
        }))
        const keyed = judged.flatMap(({ trigger, verdict }): ReadonlyArray<Keyed> =>
          verdict._tag === "Refused" || verdict.duplicateKey === undefined
            ? []
            : [{ id: runIdOf(trigger.trigger_key), key: verdict.duplicateKey }]
        )
        const repeated = yield* repeatedRuns(keyed, config.cooldown)
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
        const parsing = StepPlan.begun(alarmWorkflow, at)
        const stored = triggerOf(trigger)
        const run: Omit<NewRun, "steps"> = {
          workflow: alarmWorkflow.name,
          trigger: stored,
          state: "running",
          reason: null,
          mode: config.dispatch,
          admit: admissionOf(trigger),
          privateRanges: mayReachPrivate(trigger)
        }
        const over = (
          state: RunState,
          detail: string,
          severity: Severity | null = null,
          mistake: { readonly mistake?: string } = {}
        ) => {
          const parsed = state === "rejected" ? "failed" : "done"
          const steps = StepPlan.stop(alarmWorkflow, parsing, { state: parsed, detail }, at)
          return end({ ...run, state, reason: detail, severity, steps }, mistake)
        }
        const duplicate = (severity: Severity | null) =>
          over("duplicate", `the same alarm came within ${config.cooldown} s`, severity)

        switch (verdict._tag) {
          case "Refused":
            yield* Effect.logWarning(`alarm refused: ${verdict.reason}`, { run: id })
            return yield* over("rejected", verdict.reason)
          case "Malformed": {
            const answered = yield* answeredRun(trigger.source.in_reply_to ?? [], trigger.tenant_id)
            if (answered !== undefined) {
              const by = acknowledgedBy(`mail from ${stored.sender}`, undefined)
              const acknowledged = yield* acknowledgeRun(answered, by)
              const started = yield* over("acknowledgement", `acknowledges ${answered}`)
              const finished = Option.isSome(acknowledged) ? acknowledged.value.finished : undefined
              return finished === undefined ? started : { ...started, finished }
            }
            const mistake = maskTargets(verdict.error.message)
            yield* Effect.logWarning(`alarm malformed: ${mistake}`, { run: id })
            if (repeated.has(id)) return yield* duplicate(null)
            yield* replyTo(trigger, verdict.error.message)
            if (config.adminChat === undefined) return yield* over("rejected", verdict.error.message, null, { mistake })
            return yield* send(
              {
                ...run,
                reason: verdict.error.message,
                duplicateKey: verdict.duplicateKey,
                malformed: true,
                steps: StepPlan.advance(alarmWorkflow, parsing, { state: "failed", detail: verdict.error.message }, at)
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
                steps: StepPlan.advance(alarmWorkflow, parsing, { state: "done" }, at)
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
        triggerKey,
        userId
      }) {
        const at = new Date().toISOString()
        const due: Due = new Map()
        const trigger: typeof AlarmTrigger.data.Type = {
          trigger_key: triggerKey,
          event_type: eventType,
          payload: { email_subject: headline(text), email_body: text, email_from: "" },
          source: { kind: "api", ...(userId === undefined ? {} : { user_id: userId }) },
          tenant_id: tenantId,
          received_at: at,
          platform: userId === undefined
        }
        const started = yield* send(
          {
            workflow: alarmWorkflow.name,
            trigger: triggerOf(trigger),
            privateRanges: mayReachPrivate(trigger),
            state: "running",
            reason: null,
            severity,
            mode: "parallel",
            steps: StepPlan.begun(alarmWorkflow, at, dispatchActions)
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
        startJob: (
          (startBatch) => (trigger: TriggerJob) =>
            Effect.andThen(fresh, startBatch(trigger))
        )(
          yield* JobBatch.make(
            (triggers: ReadonlyArray<TriggerJob>) =>
              Effect.provideContext(startAll(triggers.map(({ job }) => job.data)), context),
            { most: batch }
          )
        ),
        dispatch
      })
    })
  )

/** Delivery jobs per channel, sent together. */
type Due = Map<Channel, Array<ReturnType<typeof deliveryOf>>>

/** The trigger as the ledger stores it. */
const triggerOf = (trigger: typeof AlarmTrigger.data.Type): RunTrigger => {
  const { email_body, email_from, email_subject } = storablePayload(trigger.payload)
  return {
    key: trigger.trigger_key,
    tenantId: trigger.tenant_id,
    eventType: trigger.event_type,
    subject: email_subject,
    body: email_body,
    sender: email_from,
    source: trigger.source,
    receivedAt: new Date(trigger.received_at)
  }
}

const startedOf = ({ reason, state, trigger }: NewRun): Started => ({ id: runIdOf(trigger.key), state, reason })

/** The existing run of a repeated trigger. */
const known = (otherwise: Started) =>
  Effect.map(
    RunViews.getRun(otherwise.id),
    Option.match({ onNone: () => otherwise, onSome: ({ id, reason, state }): Started => ({ id, state, reason }) })
  )
