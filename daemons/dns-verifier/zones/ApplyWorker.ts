/**
 * Does the steps of plans, one after the other: noted as begun, written with no transaction open, noted as done.
 * Whoever comes after a crash, a pause or a failure reads the zone and goes on from what stands there, not from what
 * was meant to.
 */
import { Effect, Result } from "effect"
import type { ClaimedJob } from "#core/jobs/Jobs.ts"
import { setAt } from "../record-sets/CanonicalContent.ts"
import { setsFingerprint } from "./Fingerprint.ts"
import * as PlanProgress from "./PlanProgress.ts"
import type { StepRow } from "./PlanStore.ts"
import { decide, maxDuration, maxReads, pauseAfter } from "./StepDecision.ts"
import { type OpenZone, ZoneAccess } from "./ZoneAccess.ts"
import { ApplyWanted } from "./ZoneJobs.ts"
import type { RecordSet } from "../record-sets/RecordSet.ts"
import { ProviderError } from "../providers/Exports.ts"

/**
 * Plans in work at once in one process. Reason: they mostly wait for providers, and one that is slow must not hold up
 * another.
 */
const concurrency = 4

/**
 * How often the work may break off. Reason: some restarts and an outage of the database fit in; what is broken in us
 * must not go on for ever unseen.
 */
const maxClaims = 30

/** `minute`: how long one is in pauses. Unit: milliseconds. */
export const applyWorker = (minute: number) => ({
  type: ApplyWanted,
  concurrency,
  handle: ({ data, retries }: ClaimedJob<typeof ApplyWanted.data.Type>) => work(data, retries, minute)
})

const work = Effect.fnUntraced(function* (
  { plan_id, tenant_id, tries }: typeof ApplyWanted.data.Type,
  retries: number,
  minute: number
) {
  const run = yield* PlanProgress.take(tenant_id, plan_id)
  if (run === undefined) return
  const going =
    retries < maxClaims
      ? apply(run, tries, minute)
      : PlanProgress.failed(run, undefined, "It broke off again and again; the log says why.", false)
  yield* going.pipe(Effect.catchTag("Superseded", (error) => Effect.logInfo(error.message)))
})

const apply = Effect.fnUntraced(function* (run: PlanProgress.Run, tries: number, minute: number) {
  const access = yield* ZoneAccess
  const opened = yield* Effect.result(
    Effect.flatMap(access.open(run.tenant_id, run.domain_id), (zone) =>
      Effect.map(zone.read, (read) => ({ zone, ...read }))
    ).pipe(
      // The account was taken from the domain: nobody else can say what became of the zone.
      Effect.catchTags({ NotManaged: lost, NotFound: lost })
    )
  )
  if (Result.isFailure(opened)) {
    const error = opened.failure
    if (error._tag !== "ProviderError") return yield* error
    const pause = tries + 1 < maxReads && isInTime(run, minute) ? pauseAfter(error, tries, minute) : undefined
    return yield* pause === undefined
      ? PlanProgress.failed(run, undefined, `The zone cannot be read: ${error.detail}`, false)
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

/** False: the plan is not gone on with now. */
const doStep = Effect.fnUntraced(function* (
  run: PlanProgress.Run,
  step: StepRow,
  zone: OpenZone,
  there: RecordSet | undefined,
  minute: number
) {
  const decision = decide(step, there)
  if (decision._tag === "Fail") {
    yield* PlanProgress.failed(run, step, decision.problem, true)
    return false
  }
  if (decision._tag === "Write") {
    yield* PlanProgress.attempting(run, step)
    const after = step.after === null ? null : { type: step.type, name: step.name, ttl: step.ttl, contents: step.after }
    const written = yield* Effect.result(zone.write(step, there ?? null, after))
    if (Result.isFailure(written)) {
      const { detail, reason } = written.failure
      const pause = isInTime(run, minute) ? pauseAfter(written.failure, step.attempts, minute) : undefined
      yield* pause === undefined
        ? PlanProgress.failed(run, step, detail, reason !== "unavailable")
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
      detail: "The domain has no account at a provider any more.",
      retryAfter: null
    })
  )

const isInTime = ({ begun_at }: PlanProgress.Run, minute: number) =>
  begun_at === null || Date.now() - begun_at.getTime() < maxDuration * minute
