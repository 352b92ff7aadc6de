/**
 * Applies the steps of plans in order. Each step is recorded as begun, written with no transaction open, and recorded
 * as done. After a crash, pause or failure the worker reads the zone again and continues from its actual state.
 */
import { Effect, Result } from "effect"
import { type ClaimedJob, Jobs } from "#core/jobs/Jobs.ts"
import { tenantTransaction } from "#core/sql/Sql.ts"
import { setAt } from "../record-sets/CanonicalContent.ts"
import { setsFingerprint } from "./Fingerprint.ts"
import * as PlanProgress from "./PlanProgress.ts"
import { applyDue } from "./PlanState.ts"
import type { StepRow } from "./PlanStore.ts"
import { decide, longRetry, maxDuration, maxReads, pauseAfter } from "./StepDecision.ts"
import { type OpenZone, ZoneAccess } from "./ZoneAccess.ts"
import { ApplyWanted } from "./ZoneJobs.ts"
import type { RecordSet } from "../record-sets/RecordSet.ts"
import { ProviderError } from "../providers/Exports.ts"

/**
 * Plans applied at once in one process. Reason: most of the time is spent waiting, so a slow provider must not delay
 * other plans.
 */
const concurrency = 4

/**
 * Maximum number of claims of one job. Reason: leaves room for restarts and a database outage, and ends an endless
 * crash loop.
 */
const maxClaims = 30

/** Job worker that applies plans. `minute`: milliseconds that a pause of one minute lasts; tests shorten it. */
export const applyWorker = (minute: number) => ({
  type: ApplyWanted,
  concurrency,
  handle: ({ data, retries }: ClaimedJob<typeof ApplyWanted.data.Type>) => work(data, retries, minute)
})

const work = Effect.fnUntraced(function* (
  { due, plan_id, tenant_id, tries }: typeof ApplyWanted.data.Type,
  retries: number,
  minute: number
) {
  if (due !== undefined) return yield* begin({ tenant_id, plan_id, tries, due }, minute)
  const run = yield* PlanProgress.take(tenant_id, plan_id)
  if (run === undefined) return
  const going =
    retries < maxClaims
      ? apply(run, tries, minute)
      : PlanProgress.failed(
          run,
          undefined,
          "Applying the plan stopped repeatedly; the log has the reason. Make a new plan.",
          false
        )
  yield* going.pipe(Effect.catchTag("Superseded", (error) => Effect.logInfo(error.message)))
})

/** Begins a plan that applies itself; later, when another plan of the domain is being applied. */
const begin = (data: typeof ApplyWanted.data.Type & { readonly due: number }, minute: number) =>
  tenantTransaction(
    data.tenant_id,
    Effect.catchTag(applyDue(data.plan_id, data.due), "PlanUnderWay", () =>
      Effect.flatMap(Jobs, (jobs) => jobs.send(ApplyWanted, [{ data, startAfter: new Date(Date.now() + minute / 12) }]))
    )
  ).pipe(
    // The plan was deleted or closed meanwhile.
    Effect.catchTag(["NotFound", "PlanClosed", "PlanStopped"], () => Effect.void)
  )

const apply = Effect.fnUntraced(function* (run: PlanProgress.Run, tries: number, minute: number) {
  const access = yield* ZoneAccess
  const opened = yield* Effect.result(
    Effect.flatMap(access.open(run.tenant_id, run.domain_id), (zone) =>
      Effect.map(zone.read, (read) => ({ zone, ...read }))
    ).pipe(
      // The domain lost its account, so nothing can read the state of the zone any more.
      Effect.catchTags({ DomainPending: lost, NotManaged: lost, NotFound: lost })
    )
  )
  if (Result.isFailure(opened)) {
    const error = opened.failure
    if (error._tag !== "ProviderError") return yield* error
    const wait = pauseAfter(error, tries, minute)
    const pause = tries + 1 < maxReads && isInTime(run, minute) ? wait : undefined
    return yield* pause === undefined
      ? PlanProgress.failed(
          run,
          undefined,
          `The zone cannot be read: ${error.detail}`,
          false,
          wait === undefined ? undefined : retryAt(minute)
        )
      : PlanProgress.later(run, undefined, error.detail, pause, tries + 1, false)
  }
  const { sets, zone } = opened.success
  if (run.begun_at === null) {
    if (setsFingerprint(sets, run.steps) !== run.fingerprint) return yield* PlanProgress.stale(run)
    yield* PlanProgress.begun(run)
  }
  for (const step of run.steps) {
    if (step.state === "done") continue
    const goesOn = yield* doStep(run, step, zone, setAt(sets, step), minute)
    if (!goesOn) return
  }
  const after = yield* Effect.result(zone.read)
  yield* PlanProgress.applied(run, Result.isSuccess(after) ? after.success.sets : undefined)
})

/** Performs one step; false: stop working on the plan for now. */
const doStep = Effect.fnUntraced(function* (
  run: PlanProgress.Run,
  step: StepRow,
  zone: OpenZone,
  there: RecordSet | undefined,
  minute: number
) {
  const decision = decide(step, there)
  if (decision._tag === "Fail") {
    yield* PlanProgress.failed(run, step, decision.problem, true, decision.changed ? "now" : retryAt(minute))
    return false
  }
  if (decision._tag === "Write") {
    yield* PlanProgress.attempting(run, step)
    const after = step.after === null ? null : { type: step.type, name: step.name, ttl: step.ttl, contents: step.after }
    const written = yield* Effect.result(zone.write(step, there ?? null, after))
    if (Result.isFailure(written)) {
      const { detail, reason } = written.failure
      const wait = pauseAfter(written.failure, step.attempts, minute)
      const pause = isInTime(run, minute) ? wait : undefined
      yield* pause === undefined
        ? PlanProgress.failed(
            run,
            step,
            detail,
            reason !== "unavailable",
            wait === undefined ? undefined : retryAt(minute)
          )
        : PlanProgress.later(run, step, detail, pause, 0, reason !== "rate_limited")
      return false
    }
  }
  yield* PlanProgress.done(run, step)
  return true
})

const lost = () =>
  Effect.fail(
    new ProviderError({
      reason: "unauthorized",
      detail: "The domain no longer has an account at a provider.",
      retryAfter: null
    })
  )

const retryAt = (minute: number) => new Date(Date.now() + longRetry * minute)

const isInTime = ({ begun_at }: PlanProgress.Run, minute: number) =>
  begun_at === null || Date.now() - begun_at.getTime() < maxDuration * minute
