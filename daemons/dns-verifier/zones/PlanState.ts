/** Applies or discards a plan on request. Runs in the surrounding transaction and writes the audit log. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as Audit from "#core/log/Audit.ts"
import { Jobs } from "#core/jobs/Jobs.ts"
import { PlanUnderWay } from "../domain-store/Errors.ts"
import * as PlanStore from "./PlanStore.ts"
import { ApplyWanted } from "./ZoneJobs.ts"
import { PlanClosed, PlanStopped } from "./Errors.ts"

/** Author of a change; `actor` as in the audit log. */
export interface Author {
  readonly actor: string
  readonly address?: string | undefined
}

/** Author of background plans. */
export const system: Author = { actor: "system" }

/** Whether the plan applies, or applied, itself. Pure. */
export const isAutomatic = ({ applied_by }: Pick<PlanStore.PlanRow, "applied_by">) => applied_by === system.actor

/**
 * Most extensions of the time that an automatic plan waits for further changes, as a multiple of
 * SIGNALBOX_DNS_SETTLE_MS. Reason: a client that changes records all the time must not delay the first one for long.
 */
const maxSettles = 5

/**
 * Applies the plan automatically, `settle` milliseconds after its last change. Every call replaces the former time.
 */
export const schedule = Effect.fnUntraced(function* (plan: PlanStore.StoredPlan, settle: number) {
  const sql = yield* SqlClient.SqlClient
  const due = Math.min(Date.now() + settle, plan.created_at.getTime() + maxSettles * settle)
  yield* sql`update dns_verifier.plan set apply_after = ${new Date(due)} where id = ${plan.id}`
  const data = { tenant_id: plan.tenant_id, plan_id: plan.id, tries: 0, due }
  yield* Effect.flatMap(Jobs, (jobs) => jobs.send(ApplyWanted, [{ data, startAfter: new Date(due) }]))
})

/** Takes the plan off the schedule: only a user can apply it. */
export const unschedule = ({ id }: PlanStore.StoredPlan) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql`update dns_verifier.plan set apply_after = null where id = ${id}`)

/** Begins a scheduled plan, unless its time was changed, it is no longer open, or someone applied it meanwhile. */
export const applyDue = Effect.fnUntraced(function* (planId: string, due: number) {
  const sql = yield* SqlClient.SqlClient
  const [found] = yield* sql<{ domain_id: number }>`select domain_id from dns_verifier.plan where id = ${planId}`
  if (found === undefined) return
  yield* held(found.domain_id)
  const plan = yield* PlanStore.get(found.domain_id, planId)
  if (plan.state !== "planned" || plan.apply_after?.getTime() !== due) return
  yield* apply(found.domain_id, planId, false, system)
})

/**
 * Starts applying the plan when the transaction commits. A stopped plan needs `force`. Fails while another plan of the
 * domain is being applied.
 */
export const apply = Effect.fnUntraced(function* (domainId: number, planId: string, force: boolean, author: Author) {
  const sql = yield* SqlClient.SqlClient
  yield* held(domainId)
  const plan = yield* PlanStore.get(domainId, planId)
  if (plan.state === "stopped" && !force) {
    return yield* new PlanStopped({
      share: plan.share,
      detail: `The plan changes ${Math.round(plan.share * 100)} % of the zone. Send force=true to apply it anyway.`
    })
  }
  yield* isOpen(plan)
  yield* noneUnderWay(domainId)
  yield* sql`update dns_verifier.plan set state = 'applying', applied_by = ${author.actor} where id = ${planId}`
  yield* Effect.flatMap(Jobs, (jobs) =>
    jobs.send(ApplyWanted, [{ data: { tenant_id: plan.tenant_id, plan_id: planId, tries: 0 } }])
  )
  yield* note(plan, "begun", author, { steps: plan.steps.length, force })
  return yield* PlanStore.get(domainId, planId)
})

/** Discards a plan that was not applied. */
export const discard = Effect.fnUntraced(function* (domainId: number, planId: string, author: Author) {
  const sql = yield* SqlClient.SqlClient
  yield* held(domainId)
  const plan = yield* PlanStore.get(domainId, planId)
  yield* isOpen(plan)
  yield* sql`update dns_verifier.plan set state = 'discarded', ended_at = now() where id = ${planId}`
  yield* note(plan, "discarded", author)
  return yield* PlanStore.get(domainId, planId)
})

/** Fails with 409 while a plan of the domain is being applied. */
export const noneUnderWay = Effect.fnUntraced(function* (domainId: number) {
  const sql = yield* SqlClient.SqlClient
  const found = yield* sql`select 1 from dns_verifier.plan where domain_id = ${domainId} and state = 'applying'`
  if (found.length > 0) return yield* new PlanUnderWay({ detail: "Wait until the plan has ended." })
})

/** Locks the domain's row until the transaction ends, so that planning and applying run one after the other. */
export const held = (domainId: number) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql`select 1 from dns_verifier.domain where id = ${domainId} for update`)

/** Writes an audit log line about a plan. */
export const note = (
  plan: Pick<PlanStore.PlanRow, "id" | "tenant_id" | "domain_id">,
  action: string,
  { actor, address }: Author,
  detail: Audit.Entry["detail"] = {}
) =>
  Audit.write({
    tenantId: plan.tenant_id,
    actor,
    address,
    action: `dns_plan.${action}`,
    entity: "dns_plan",
    id: plan.id,
    detail: { domain_id: plan.domain_id, ...detail }
  })

const isOpen = ({ state }: PlanStore.PlanRow) =>
  state === "planned" || state === "stopped"
    ? Effect.void
    : Effect.fail(new PlanClosed({ state, detail: "Make a new plan." }))
