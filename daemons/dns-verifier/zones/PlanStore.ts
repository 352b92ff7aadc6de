/**
 * Tables of plans and zone readings. Functions run in the surrounding transaction with its role, so a tenant sees only
 * its own rows.
 */
import { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { NotFound } from "#core/http/Problem.ts"
import { fingerprint } from "./Fingerprint.ts"
import type { Plan, Step } from "./Plan.ts"
import type { Warning } from "../record-sets/PlanWarning.ts"
import type { RecordSet } from "../record-sets/RecordSet.ts"

export type PlanState = "planned" | "stopped" | "applying" | "applied" | "failed" | "stale" | "discarded"
export type StepState = "pending" | "attempting" | "done" | "failed" | "uncertain" | "skipped"

export interface PlanRow {
  readonly id: string
  readonly tenant_id: number
  readonly domain_id: number
  readonly reason: string
  readonly actor: string
  readonly state: PlanState
  readonly fingerprint: string
  readonly zone_sets: number
  readonly share: number
  readonly warnings: ReadonlyArray<Warning>
  /** Ids of user records that the plan deletes. */
  readonly removes: ReadonlyArray<number>
  readonly applied_by: string | null
  readonly problem: string | null
  readonly created_at: Date
  /** When the plan applies itself; null: only on request. */
  readonly apply_after: Date | null
  readonly begun_at: Date | null
  readonly ended_at: Date | null
}

export interface StepRow extends Step {
  readonly position: number
  readonly state: StepState
  readonly attempts: number
  readonly problem: string | null
  readonly ended_at: Date | null
}

export interface StoredPlan extends PlanRow {
  readonly steps: ReadonlyArray<StepRow>
}

/** Stored plans of one domain. Reason: about a year of changes; each plan holds whole record sets. */
const keptPlans = 100

const fields = (sql: SqlClient.SqlClient) =>
  sql`p.id, p.tenant_id, p.domain_id, p.reason, p.actor, p.state, p.fingerprint, p.zone_sets, p.share, p.warnings,
    p.removes, p.applied_by, p.problem, p.created_at, p.apply_after, p.begun_at, p.ended_at`

/** The kind of change. Pure. */
export const changeOf = ({ after, before }: Pick<Step, "before" | "after">): "create" | "replace" | "remove" =>
  after === null ? "remove" : before === null ? "create" : "replace"

/** Lists plans, newest first: at most `limit`, without the first `skip`. */
export const list = Effect.fnUntraced(function* (domainId: number, skip: number, limit: number) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<PlanRow & { readonly steps_total: number; readonly steps_done: number }>`select ${fields(sql)},
      (select count(*)::int from dns_verifier.plan_step s where s.plan_id = p.id) as steps_total,
      (select count(*)::int from dns_verifier.plan_step s where s.plan_id = p.id and s.state = 'done') as steps_done
    from dns_verifier.plan p where p.domain_id = ${domainId} order by p.seq desc offset ${skip} limit ${limit}`
})

/** Reads a plan by id; 404 when the domain has no such plan. */
export const get = Effect.fnUntraced(function* (domainId: number, planId: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<PlanRow>`select ${fields(sql)} from dns_verifier.plan p
      where p.id = ${planId} and p.domain_id = ${domainId}`
  return yield* withSteps(row ?? (yield* new NotFound({ detail: "The plan does not exist." })))
})

/** Plans that can still be applied. */
export const open = Effect.fnUntraced(function* (domainId: number) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<PlanRow>`select ${fields(sql)} from dns_verifier.plan p
    where p.domain_id = ${domainId} and p.state in ('planned', 'stopped') order by p.seq desc`
  return yield* Effect.forEach(rows, withSteps)
})

const withSteps = Effect.fnUntraced(function* (row: PlanRow) {
  return { ...row, steps: yield* stepsOf(row.id) } satisfies StoredPlan as StoredPlan
})

export const stepsOf = (planId: string) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) =>
      sql<StepRow>`select position, type, name, ttl, before, after, owns, reason, state, attempts, problem, ended_at
      from dns_verifier.plan_step where plan_id = ${planId} order by position`
  )

export interface NewPlan {
  readonly reason: string
  readonly actor: string
  readonly fingerprint: string
  readonly zoneSets: number
  readonly removes: ReadonlyArray<number>
}

/** Inserts a plan and deletes the domain's oldest plans beyond `keptPlans`. */
export const insert = Effect.fnUntraced(function* (
  domain: { readonly id: number; readonly tenant_id: number },
  plan: Plan,
  made: NewPlan
) {
  const sql = yield* SqlClient.SqlClient
  const pg = yield* PgClient.PgClient
  const [row] = yield* sql<{
    id: string
  }>`insert into dns_verifier.plan (tenant_id, domain_id, reason, actor, state, fingerprint, zone_sets, share,
    warnings, removes)
    values (${domain.tenant_id}, ${domain.id}, ${made.reason}, ${made.actor}, ${plan.stopped ? "stopped" : "planned"},
    ${made.fingerprint},
      ${made.zoneSets}, ${plan.share}, ${pg.json(plan.warnings)}, ${pg.json(made.removes)}) returning id`
  yield* insertSteps(row!.id, domain.tenant_id, plan)
  yield* sql`delete from dns_verifier.plan where domain_id = ${domain.id} and state <> 'applying'
    and seq <= (select seq from dns_verifier.plan where domain_id = ${domain.id} order by seq desc offset ${keptPlans}
    limit 1)`
  return yield* get(domain.id, row!.id)
})

/** Replaces the content of an open plan: several changes in a row become one plan. */
export const replace = Effect.fnUntraced(function* (
  domain: { readonly id: number; readonly tenant_id: number },
  planId: string,
  plan: Plan,
  made: Pick<NewPlan, "fingerprint" | "zoneSets">
) {
  const sql = yield* SqlClient.SqlClient
  const pg = yield* PgClient.PgClient
  yield* sql`update dns_verifier.plan set state = ${plan.stopped ? "stopped" : "planned"},
    fingerprint = ${made.fingerprint}, zone_sets = ${made.zoneSets}, share = ${plan.share},
    warnings = ${pg.json(plan.warnings)} where id = ${planId}`
  yield* sql`delete from dns_verifier.plan_step where plan_id = ${planId}`
  yield* insertSteps(planId, domain.tenant_id, plan)
  return yield* get(domain.id, planId)
})

const insertSteps = Effect.fnUntraced(function* (planId: string, tenantId: number, { steps }: Plan) {
  const sql = yield* SqlClient.SqlClient
  const pg = yield* PgClient.PgClient
  for (const [position, step] of steps.entries()) {
    yield* sql`insert into dns_verifier.plan_step (plan_id, position, tenant_id, type, name, ttl, before, after, owns,
      reason)
      values (${planId}, ${position}, ${tenantId}, ${step.type}, ${step.name}, ${step.ttl},
      ${json(pg, step.before)}, ${json(pg, step.after)},
        ${pg.json(step.owns)}, ${step.reason})`
  }
})

/** SQL null for a missing set. */
const json = (pg: PgClient.PgClient, contents: ReadonlyArray<string> | null) =>
  contents === null ? null : pg.json(contents)

/** Stores the zone as read, for the list of records. */
export const storeReading = Effect.fnUntraced(function* (
  domain: { readonly id: number; readonly tenant_id: number },
  sets: ReadonlyArray<RecordSet>
) {
  const sql = yield* SqlClient.SqlClient
  const pg = yield* PgClient.PgClient
  yield* sql`insert into dns_verifier.zone_reading (domain_id, tenant_id, sets, fingerprint)
    values (${domain.id}, ${domain.tenant_id}, ${pg.json(sets)}, ${fingerprint(sets)})
    on conflict (domain_id) do update set sets = excluded.sets, fingerprint = excluded.fingerprint, read_at = now()`
})
