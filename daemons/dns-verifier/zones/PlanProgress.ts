/**
 * Records the progress of applying a plan. Each function is one transaction. A worker takes the plan first; after
 * another worker takes it, the first one writes nothing more (`Superseded`).
 */
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Jobs } from "#core/jobs/Jobs.ts"
import { tenantTransaction } from "#core/sql/Sql.ts"
import { common } from "../record-sets/CanonicalContent.ts"
import { isAutomatic, note } from "./PlanState.ts"
import * as PlanStore from "./PlanStore.ts"
import { plainProblem, publish } from "./PlanNotices.ts"
import { storeOwned } from "./Ownership.ts"
import { requestPlan } from "../domain-store/PlanRequests.ts"
import { postponed } from "./ZoneChange.ts"
import { ApplyWanted } from "./ZoneJobs.ts"
import type { RecordSet } from "../record-sets/RecordSet.ts"
import type { OwnedSet } from "../domain-store/OwnedSets.ts"

/** Another worker has taken the plan, or it has ended. */
export class Superseded extends Schema.TaggedError<Superseded>()("Superseded", { plan: Schema.String }) {
  override get message() {
    return `plan ${this.plan} is applied by another worker`
  }
}

/** A plan that this worker has taken. */
export interface Run extends PlanStore.StoredPlan {
  readonly claim: string
}

/** Takes a plan that is `applying`, also from another worker; undefined when there is nothing to do. */
export const take = Effect.fnUntraced(function* (tenantId: number, planId: string) {
  const sql = yield* SqlClient.SqlClient
  return yield* tenantTransaction(
    tenantId,
    Effect.gen(function* () {
      const [row] = yield* sql<{
        domain_id: number
        claim: string
      }>`update dns_verifier.plan set claim = gen_random_uuid()
      where id = ${planId} and state = 'applying' returning domain_id, claim`
      return row === undefined
        ? undefined
        : ({ ...(yield* PlanStore.get(row.domain_id, planId)), claim: row.claim } satisfies Run)
    })
  )
})

/** Runs a change of the plan while this worker still holds it. */
const ours = <A, E, R>(run: Run, change: Effect.Effect<A, E, R>) =>
  tenantTransaction(
    run.tenant_id,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const held = yield* sql`select 1 from dns_verifier.plan
          where id = ${run.id} and claim = ${run.claim} and state = 'applying' for update`
      if (held.length === 0) return yield* new Superseded({ plan: run.id })
      return yield* change
    })
  )

const author = ({ actor, applied_by }: Run) => ({ actor: applied_by ?? actor })

/** Records that the zone was as planned and the first step begins. */
export const begun = (run: Run) =>
  ours(
    run,
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql`update dns_verifier.plan set begun_at = now() where id = ${run.id}`
    )
  )

/**
 * Ends the plan as stale: the zone has changed, and nothing was written. An automatic plan is made again from the
 * changed zone.
 */
export const stale = (run: Run) =>
  ours(
    run,
    Effect.gen(function* () {
      if (isAutomatic(run)) {
        yield* ended(run, "stale", "The zone has changed since the plan was made. Nothing was written.")
        return yield* requestPlan(run.domain_id, "The zone changed before the last plan was applied")
      }
      const problem = "The zone has changed since the plan was made. Nothing was written; make a new plan."
      yield* ended(run, "stale", problem)
      yield* publish("failed", {
        planId: run.id,
        domainId: run.domain_id,
        stepsTotal: run.steps.length,
        stepsDone: 0,
        problem
      })
    })
  )

export const attempting = (run: Run, { position }: PlanStore.StepRow) =>
  ours(
    run,
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql`update dns_verifier.plan_step set state = 'attempting', attempts = attempts + 1
    where plan_id = ${run.id} and position = ${position}`
    )
  )

/** Records a step as done: the set is ours, and the user records that it removes are deleted. */
export const done = (run: Run, step: PlanStore.StepRow) =>
  ours(
    run,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`update dns_verifier.plan_step set state = 'done', problem = null, ended_at = now()
        where plan_id = ${run.id} and position = ${step.position}`
      yield* storeOwned({ id: run.domain_id, tenant_id: run.tenant_id }, step, step.owns, step.ttl)
      yield* sql`delete from dns_verifier.record
        where domain_id = ${run.domain_id} and id = any(${[...run.removes]}::int[]) and source = 'user'
      and type = ${step.type} and name = ${step.name}`
      yield* note(run, "step_done", author(run), {
        type: step.type,
        name: step.name,
        before: step.before,
        after: step.after
      })
    })
  )

/**
 * Schedules the next attempt after a pause. `step`: the step that the provider did not perform. `counts`: whether it
 * was an attempt.
 */
export const later = (
  run: Run,
  step: PlanStore.StepRow | undefined,
  problem: string,
  pause: number,
  tries: number,
  counts: boolean
) =>
  ours(
    run,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const told = plainProblem(problem)
      if (step !== undefined) {
        // A request refused by a rate limit is not an attempt.
        yield* sql`update dns_verifier.plan_step set problem = ${told}, attempts = attempts - ${counts ? 0 : 1}
          where plan_id = ${run.id} and position = ${step.position}`
      }
      yield* sql`update dns_verifier.plan set problem = ${told} where id = ${run.id}`
      const jobs = yield* Jobs
      yield* jobs.send(ApplyWanted, [
        { data: { tenant_id: run.tenant_id, plan_id: run.id, tries }, startAfter: new Date(Date.now() + pause) }
      ])
    })
  )

/**
 * Ends the plan as failed, at `step` if there is one. `isKnown`: whether the set's state is known; otherwise the write
 * may have happened. `replan`: when an automatic plan is made again: at once if someone else changed the zone, at a
 * time if the provider was unreachable; undefined: not, because a person has to fix the cause.
 */
export const failed = (
  run: Run,
  step: PlanStore.StepRow | undefined,
  problem: string,
  isKnown: boolean,
  replan?: "now" | Date
) =>
  ours(
    run,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const told = plainProblem(problem)
      const now = yield* PlanStore.stepsOf(run.id)
      for (const { name, owns, position, state, type } of now) {
        if (state === "attempting" && !(isKnown && position === step?.position)) {
          yield* sql`update dns_verifier.plan_step
            set state = 'uncertain', problem = coalesce(problem, ${told}), ended_at = now()
            where plan_id = ${run.id} and position = ${position}`
          // If the set appears in the zone later, it is ours.
          const [mine] = yield* sql<OwnedSet>`select type, name, contents, ttl from dns_verifier.owned_set
              where domain_id = ${run.domain_id} and type = ${type} and name = ${name}`
          const both = [
            ...(mine?.contents ?? []),
            ...owns.filter((content) => common(type, [content], mine?.contents ?? []).length === 0)
          ]
          yield* storeOwned({ id: run.domain_id, tenant_id: run.tenant_id }, { type, name }, both, mine?.ttl ?? null)
        } else if (position === step?.position) {
          yield* sql`update dns_verifier.plan_step set state = 'failed', problem = ${told}, ended_at = now()
            where plan_id = ${run.id} and position = ${position}`
        } else if (state === "pending") {
          yield* sql`update dns_verifier.plan_step set state = 'skipped', ended_at = now()
            where plan_id = ${run.id} and position = ${position}`
        }
      }
      yield* ended(run, "failed", told)
      if (replan === "now" && isAutomatic(run))
        return yield* requestPlan(run.domain_id, "The zone changed while the last plan was applied")
      if (replan instanceof Date && isAutomatic(run)) {
        yield* requestPlan(run.domain_id, "The provider was unreachable when the last plan was applied", replan)
        yield* postponed(run.domain_id, "provider_unreachable", told, replan)
      }
      yield* publish("failed", {
        planId: run.id,
        domainId: run.domain_id,
        stepsTotal: now.length,
        stepsDone: now.filter(({ state }) => state === "done").length,
        problem: told
      })
    })
  )

/** Ends the plan as applied. `zone`: as read afterwards, if that succeeded. */
export const applied = (run: Run, zone: ReadonlyArray<RecordSet> | undefined) =>
  ours(
    run,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`delete from dns_verifier.record
        where domain_id = ${run.domain_id} and id = any(${[...run.removes]}::int[]) and source = 'user'`
      if (zone !== undefined) yield* PlanStore.storeReading({ id: run.domain_id, tenant_id: run.tenant_id }, zone)
      yield* ended(run, "applied", null)
      yield* publish("applied", {
        planId: run.id,
        domainId: run.domain_id,
        stepsTotal: run.steps.length,
        stepsDone: run.steps.length,
        problem: null
      })
    })
  )

const ended = Effect.fnUntraced(function* (run: Run, state: "applied" | "failed" | "stale", problem: string | null) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`update dns_verifier.plan set state = ${state}, problem = ${problem}, ended_at = now() where id = ${run.id}`
  yield* note(run, state, author(run), problem === null ? {} : { problem })
})
