/**
 * Runs the steps of event runs: one try per job. The step's work runs outside a transaction. Its result, its record and
 * the job of the next try are committed with the completion of this job, so that only one process continues the run.
 */
import type { Language } from "#core/words/Language.ts"
import { Cause, Duration, Effect, Exit, Option } from "effect"
import { type ClaimedJob, Jobs } from "#core/jobs/Jobs.ts"
import { isAway, transaction } from "#core/sql/Sql.ts"
import { Ledger, StepPlan } from "../../runs/Exports.ts"
import { maxReasonLength, storable } from "../../vocabulary/Exports.ts"
import { type EventWorkflow, type StepDone, type StepRun, StepRefused } from "./EventWorkflow.ts"
import { WorkflowStep } from "./EventConsumer.ts"
import { happened } from "./MatchEvent.ts"

/** Time limit of one try. Reason: a hanging step occupies one of few workers. */
const stepTimeout = Duration.seconds(60)

/** Maximum number of jobs handled at once in one process. Reason: notices are short; alarms have their own workers. */
const concurrency = 4

export interface StepSettings {
  readonly language: Language
  /** Length of a minute. Unit: milliseconds; other values than 60,000 are for tests. */
  readonly minute: number
}

type Job = ClaimedJob<typeof WorkflowStep.data.Type>

export const stepWorker = (workflows: ReadonlyArray<EventWorkflow>, settings: StepSettings) =>
  Effect.gen(function* () {
    const jobs = yield* Jobs
    const handle = Effect.fnUntraced(function* (job: Job) {
      const { run_id } = job.data
      const run = yield* Ledger.loadEventRun(run_id)
      const place = run === undefined || run.state !== "running" ? undefined : StepPlan.current(run.steps)
      if (run === undefined || place === undefined) return
      const workflow = workflows.find(({ name }) => name === run.workflow)
      const done = yield* attempt(workflow, run, place, {
        key: `${run_id}:${place}`,
        language: settings.language,
        hour: 60 * settings.minute,
        tenantId: run.tenant_id
      })
      yield* record(job, workflow, run, done)
    })

    const record = Effect.fnUntraced(function* (
      job: Job,
      workflow: EventWorkflow | undefined,
      run: Ledger.EventRun,
      done: StepDone | Failed
    ) {
      const moved = (tried: StepPlan.Tried) =>
        Effect.gen(function* () {
          const at = new Date()
          const next = StepPlan.afterwards(workflow ?? run, run.steps, tried, at.toISOString(), Math.random())
          yield* Ledger.record([{ id: job.data.run_id, ...next }])
          if (next.pause !== undefined) {
            const pause = (next.pause * settings.minute) / 60_000
            yield* jobs.send(WorkflowStep, [
              { data: job.data, ...(pause === 0 ? {} : { startAfter: new Date(at.getTime() + pause) }) }
            ])
          }
          yield* job.complete
        })
      if ("_tag" in done) return yield* transaction(moved(done))
      const recorded = yield* Effect.exit(
        transaction(
          Effect.gen(function* () {
            const line = done.record === undefined ? done.detail : ((yield* done.record) ?? done.detail)
            yield* moved({ _tag: "Done", detail: line === undefined ? undefined : storable(line, maxReasonLength) })
          })
        )
      )
      if (Exit.isSuccess(recorded)) return
      // A lost claim or database is no failure of the step: the work was rolled back and is repeated.
      const lost = Cause.findErrorOption(recorded.cause)
      if (
        Cause.hasInterrupts(recorded.cause) ||
        (Option.isSome(lost) && (isAway(lost.value) || isClaimLost(lost.value)))
      )
        return yield* recorded
      yield* transaction(moved(yield* failureOf(recorded.cause)))
    })

    yield* Jobs.worker({ type: WorkflowStep, concurrency, handle })
  })

type Failed = Extract<StepPlan.Tried, { readonly _tag: "Failed" }>

const refused = (reason: string): Failed => ({
  _tag: "Failed",
  reason: storable(reason, maxReasonLength),
  retry: false
})

/** Runs one try. Fails only when it does not count: the database is away, or the process stops. */
const attempt = (
  workflow: EventWorkflow | undefined,
  run: Ledger.EventRun,
  place: number,
  given: Omit<StepRun<unknown>, "event">
) =>
  Effect.gen(function* () {
    const step = workflow?.steps[place]
    if (workflow === undefined || step === undefined || step.name !== run.steps[place]?.name)
      return refused("this version has no such workflow or step")
    const event = happened(workflow, run.event)
    if (typeof event === "string") return refused(event)
    const tried = yield* Effect.suspend(() => step.run({ ...given, event })).pipe(
      Effect.timeoutOrElse({
        duration: stepTimeout,
        orElse: () => Effect.fail(new Error(`it did not finish within ${Duration.toSeconds(stepTimeout)} s`))
      }),
      Effect.exit
    )
    if (Exit.isSuccess(tried)) return tried.value
    const error = Cause.findErrorOption(tried.cause)
    if (Cause.hasInterrupts(tried.cause) || (Option.isSome(error) && isAway(error.value))) return yield* tried
    return yield* failureOf(tried.cause)
  })

/** Turns a broken step into a failed one; the cause is logged. */
const failureOf = (cause: Cause.Cause<unknown>): Effect.Effect<Failed> => {
  const error = Option.getOrUndefined(Cause.findErrorOption(cause))
  if (error === undefined)
    return Effect.as(Effect.logError("a step of a workflow failed unexpectedly", cause), {
      _tag: "Failed",
      reason: "the step failed unexpectedly; the log has the cause",
      retry: true
    })
  const reason = error instanceof Error ? error.message : String(error)
  return Effect.succeed({
    _tag: "Failed",
    reason: storable(reason, maxReasonLength),
    retry: !(error instanceof StepRefused)
  })
}

const isClaimLost = (error: unknown): boolean =>
  (error as { readonly _tag?: unknown } | undefined)?._tag === "ClaimLost"
