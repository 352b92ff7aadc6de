/**
 * The alarm workflow's first two steps: `email.parse_subject` judges the trigger, `comm.dispatch_actions` gives each target
 * its delivery. All in the caller's transaction: the run, its targets and their jobs exist together or not at all.
 */
import type { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Option, Result } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import type { AlarmTrigger } from "#core/contracts/Alarm.ts"
import { Events } from "#core/Events.ts"
import { Jobs, keyedId } from "#core/Jobs.ts"
import { AlarmFinished } from "#core/contracts/Alarm.ts"
import { admissionOf } from "./Admission.ts"
import type { AlarmTarget, Severity } from "./AlarmSubject.ts"
import type { CommConfig } from "./Config.ts"
import { deliveries, priorityOf } from "./Deliveries.ts"
import { judge } from "./Intake.ts"
import type { Finished } from "./RunEnd.ts"
import * as Ledger from "./Ledger.ts"
import * as SenderPolicy from "./SenderPolicy.ts"
import { storablePayload } from "./StorableText.ts"

export interface Started {
  readonly id: string
  readonly state: Ledger.RunState
  readonly reason: string | null
  /** Set when this call ended the run at its first step: what is still to be remembered in the cache, after the commit. */
  readonly finished?: Finished
}

export class Workflow extends Context.Service<Workflow, {
  /** Starts the run of a trigger, once however often it is called; answers how it stands. */
  readonly start: (
    trigger: typeof AlarmTrigger.data.Type
  ) => Effect.Effect<Started, SqlError.SqlError, SqlClient.SqlClient | PgClient.PgClient>
}>()("signalbox/comm-dispatcher/Workflow") {}

/** The run that a trigger has, known before it exists. */
export const runIdOf = (triggerKey: string): string => keyedId("run", triggerKey)

export const layer = (config: CommConfig): Layer.Layer<Workflow, never, Jobs | Events> =>
  Layer.effect(
    Workflow,
    Effect.gen(function*() {
      const jobs = yield* Jobs
      const events = yield* Events
      const policy = Result.getOrThrow(SenderPolicy.make(config))

      const start = Effect.fnUntraced(function*(trigger: typeof AlarmTrigger.data.Type) {
        const id = runIdOf(trigger.trigger_key)
        const now = Date.now()
        const at = new Date(now).toISOString()
        // Judged as it came: what is replaced to be stored must not turn a refused subject into an alarm.
        const verdict = judge(trigger.payload, policy, trigger.operator === true)
        const stored = { ...trigger, payload: storablePayload(trigger.payload) }
        const base = { id, trigger: stored, admit: admissionOf(trigger), mode: config.dispatch, severity: null, retry: undefined, duplicateKey: undefined }

        /** A run that ends at its first step. */
        const end = Effect.fnUntraced(function*(state: "rejected" | "duplicate", reason: string, severity: Severity | null) {
          const inserted = yield* Ledger.insertRun({
            ...base,
            state,
            reason,
            severity,
            steps: [
              { name: "email.parse_subject", state: state === "rejected" ? "failed" : "done", detail: reason, at },
              { name: "comm.dispatch_actions", state: "skipped", at },
              { name: "comm.log_result", state: "done", at }
            ]
          })
          if (inserted === undefined) return yield* known(id, { id, state, reason })
          const finished: Finished = { run_id: id, state, severity, targets: 0, delivered: 0 }
          yield* events.emit(AlarmFinished, "comm-dispatcher", finished, { tenantId: trigger.tenant_id })
          return { id, state, reason, finished }
        })

        /** Whether the same alarm came a moment ago: of this run itself the answer is its row. */
        const repeated = (key: Buffer | undefined) =>
          key === undefined || config.cooldown === 0 ? Effect.succeed(false) : Ledger.isDuplicate(key, config.cooldown, id)
        const duplicate = (severity: Severity | null) => end("duplicate", `the same alarm came within ${config.cooldown} s`, severity)

        /** A run with something to send. */
        const dispatch = Effect.fnUntraced(function*(
          run: Pick<Ledger.NewRun, "reason" | "severity" | "retry" | "steps" | "duplicateKey">,
          targets: ReadonlyArray<AlarmTarget>,
          severity: Severity
        ) {
          const ids = yield* Ledger.insertRun({ ...base, ...run, state: "running" }, targets, now)
          if (ids !== undefined) {
            const first = config.dispatch === "sequential" ? ids.slice(0, 1) : ids
            for (const channel of new Set(targets.map((target) => target.channel))) {
              const due = first.filter((_, index) => targets[index]!.channel === channel)
              if (due.length === 0) continue
              yield* jobs.send(
                deliveries[channel],
                due.map((target_id) => ({ data: { target_id }, priority: priorityOf[severity] }))
              )
            }
          }
          const started = { id, state: "running" as const, reason: run.reason }
          return ids === undefined ? yield* known(id, started) : started
        })

        switch (verdict._tag) {
          case "Refused":
            yield* Effect.logWarning(`alarm refused: ${verdict.reason}`, { run: id })
            return yield* end("rejected", verdict.reason, null)
          case "Malformed": {
            yield* Effect.logWarning(`alarm malformed: ${verdict.error.message}`, { run: id })
            if (config.adminChat === undefined) return yield* end("rejected", verdict.error.message, null)
            if (yield* repeated(verdict.duplicateKey)) return yield* duplicate(null)
            return yield* dispatch(
              {
                reason: verdict.error.message,
                severity: null,
                retry: undefined,
                duplicateKey: verdict.duplicateKey,
                steps: [{ name: "email.parse_subject", state: "failed", detail: verdict.error.message, at }, dispatching(at)]
              },
              [{ channel: "messenger", target: config.adminChat }],
              "WARNING"
            )
          }
          case "Accepted": {
            const { alarm, duplicateKey } = verdict
            if (yield* repeated(duplicateKey)) return yield* duplicate(alarm.severity)
            return yield* dispatch(
              {
                reason: null,
                severity: alarm.severity,
                retry: alarm.retry,
                duplicateKey,
                steps: [{ name: "email.parse_subject", state: "done", at }, dispatching(at)]
              },
              alarm.targets,
              alarm.severity
            )
          }
        }
      })

      return Workflow.of({ start })
    })
  )

/** A trigger that came again: the run it has. */
const known = (id: string, otherwise: Started) =>
  Effect.map(Ledger.getRun(id), Option.match({
    onNone: () => otherwise,
    onSome: ({ reason, state }): Started => ({ id, state, reason })
  }))

const dispatching = (at: string): Ledger.Step => ({ name: "comm.dispatch_actions", state: "running", at })
