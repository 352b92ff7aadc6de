/**
 * The ledger of runs: reads, and inserts of alarm runs. Its rows are the state of a run, and the API shows them.
 * Changes run in the caller's transaction.
 */
import { PgClient } from "@effect/sql-pg"
import { Effect, Option, Schema } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { AlarmSource, type AlarmTrigger } from "#core/contracts/Alarm.ts"
import { TargetOptions } from "../../vocabulary/Exports.ts"
import type { AlarmRetry } from "../subject/AlarmSubject.ts"
import * as RetryPlan from "../attempt/RetryPlan.ts"
import { type PlacedTarget } from "../run/TargetSpec.ts"

export const RunState = Schema.Literals([
  "running",
  /** Every step of an event's run is done. */
  "done",
  "delivered",
  "partly_delivered",
  "failed",
  /** Acknowledged before every target was reached. */
  "acknowledged",
  "rejected",
  "duplicate",
  /** A reply mail that acknowledged another run. */
  "acknowledgement"
])
export type RunState = typeof RunState.Type

/** Workflow name of alarms and direct requests. Source: interface document 1 §3. */
export const alarmWorkflow = "alarm"

export const Step = Schema.Struct({
  /**
   * Alarms: `email.parse_subject`, `comm.dispatch_actions`, `comm.log_result`. Other runs: the step names of their
   * workflow.
   */
  name: Schema.String,
  state: Schema.Literals(["done", "running", "failed", "skipped"]),
  detail: Schema.optionalKey(Schema.String),
  /** Number of tries; absent when 1. */
  tries: Schema.optionalKey(Schema.Int),
  /** Time of the last state change. */
  at: Schema.String
})
export type Step = typeof Step.Type

export const Attempt = Schema.Struct({
  number: Schema.Int,
  state: Schema.Literals(["attempting", "delivered", "failed", "uncertain", "interrupted"]),
  started_at: Schema.String,
  finished_at: Schema.NullOr(Schema.String),
  detail: Schema.NullOr(Schema.String)
})

export const TargetView = Schema.Struct({
  channel: Schema.String,
  target: Schema.String,
  state: RetryPlan.TargetState,
  reason: Schema.NullOr(Schema.String),
  /** Time of the next attempt; null unless one is planned. */
  due_at: Schema.NullOr(Schema.String),
  /** Position among the targets. */
  position: Schema.Int,
  /** Position of the target that this fallback belongs to; null for a target that is no fallback. */
  fallback_of: Schema.NullOr(Schema.Int),
  /** Options of the request. */
  options: TargetOptions,
  possible_second: Schema.Boolean,
  attempts: Schema.Array(Attempt)
})
export type TargetView = typeof TargetView.Type

export const RunSummary = Schema.Struct({
  id: Schema.String,
  /** Position in the list; the cursor of `before`. */
  seq: Schema.Number,
  /** `alarm` for alarms and direct requests; otherwise a name from `GET /api/v1/workflows`. */
  workflow: Schema.String,
  event_type: Schema.String,
  state: RunState,
  reason: Schema.NullOr(Schema.String),
  severity: Schema.NullOr(Schema.String),
  subject: Schema.String,
  sender: Schema.String,
  /** Targets without fallbacks. A target whose fallback was reached counts as delivered. */
  target_count: Schema.Int,
  delivered_count: Schema.Int,
  received_at: Schema.String,
  created_at: Schema.String,
  finished_at: Schema.NullOr(Schema.String),
  acknowledged_at: Schema.NullOr(Schema.String),
  acknowledged_by: Schema.NullOr(Schema.String)
})
export type RunSummary = typeof RunSummary.Type

/** Source of a run that an event began: the id of the event. The event's source is the run's sender. */
export const EventSource = Schema.Struct({ kind: Schema.Literal("event"), event_id: Schema.String })

export const RunView = Schema.Struct({
  ...RunSummary.fields,
  body: Schema.String,
  mode: Schema.String,
  /** `RETRY:NxMm` of the subject; null without it. */
  retry: Schema.NullOr(Schema.Struct({ attempts: Schema.Int, pause_minutes: Schema.Number })),
  source: Schema.Union([AlarmSource, EventSource]),
  steps: Schema.Array(Step),
  /** In the order of the subject. */
  targets: Schema.Array(TargetView)
})
export type RunView = typeof RunView.Type

type Db<A> = Effect.Effect<A, SqlError.SqlError, SqlClient.SqlClient | PgClient.PgClient>

/** Timestamp column as ISO 8601 text. */
const iso = (column: string) => `to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

const summaryColumns = `r.id::text as id, r.seq::float8 as seq, r.workflow, r.event_type, r.state, r.reason,
  r.severity, r.subject, r.sender,
  (select count(distinct t.chain)::int from comm_dispatcher.target t where t.run_id = r.id) as target_count,
  (select count(distinct t.chain)::int from comm_dispatcher.target t where t.run_id = r.id
    and t.state = 'delivered') as delivered_count,
  ${iso("r.received_at")} as received_at, ${iso("r.created_at")} as created_at, ${iso("r.finished_at")} as finished_at,
  ${iso("r.acknowledged_at")} as acknowledged_at, r.acknowledged_by`

export interface RunFilter {
  readonly workflow?: string
  readonly state?: RunState
  readonly severity?: string
  /** Only runs older than this position. */
  readonly before?: number
  readonly limit: number
}

/** Written so that it matches the partial index of the runs that are no alarms. */
const isOf = (sql: SqlClient.SqlClient, workflow: string) =>
  workflow === alarmWorkflow
    ? sql`r.workflow = ${alarmWorkflow}`
    : sql`r.workflow = ${workflow} and r.workflow <> ${sql.literal(`'${alarmWorkflow}'`)}`

/** Newest first. */
export const listRuns = (filter: RunFilter): Db<ReadonlyArray<RunSummary>> =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) =>
      sql<RunSummary>`select ${sql.literal(summaryColumns)} from comm_dispatcher.run r
      where ${filter.workflow === undefined ? sql`true` : isOf(sql, filter.workflow)}
        and (${filter.state ?? null}::text is null or r.state = ${filter.state ?? null})
        and (${filter.severity ?? null}::text is null or r.severity = ${filter.severity ?? null})
        and (${filter.before ?? null}::float8 is null or r.seq < ${filter.before ?? null})
      order by r.seq desc limit ${filter.limit}`
  )

/** One run with its targets and their attempts. */
export const getRun = (id: string): Db<Option.Option<RunView>> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [run] = yield* sql<Omit<RunView, "targets">>`
      select ${sql.literal(summaryColumns)}, r.body, r.mode, r.source, r.steps,
             case when r.retry is not null then
               jsonb_build_object('attempts', r.retry->'attempts', 'pause_minutes', r.retry->'pauseMinutes')
                 end as retry
        from comm_dispatcher.run r where r.id = ${id}::uuid`
    if (run === undefined) return Option.none()
    const targets = yield* sql<TargetView>`
      select t.position, case when t.step > 0 then t.chain end as fallback_of, t.options, t.channel, t.target,
        t.state, t.record->>'reason' as reason, ${sql.literal(iso("t.due_at"))} as due_at,
             (t.record->>'possibleSecond')::boolean as possible_second,
             coalesce((select jsonb_agg(jsonb_build_object('number', a.number, 'state', a.state, 'detail', a.detail,
                 'started_at', ${sql.literal(iso("a.started_at"))}, 'finished_at', ${sql.literal(iso("a.finished_at"))})
                 order by a.number) from comm_dispatcher.attempt a where a.target_id = t.id), '[]') as attempts
        from comm_dispatcher.target t where t.run_id = ${id}::uuid order by t.position`
    return Option.some({ ...run, targets })
  })

export interface NewRun {
  readonly id: string
  readonly trigger: typeof AlarmTrigger.data.Type
  readonly state: RunState
  readonly reason: string | null
  readonly severity: string | null
  readonly mode: string
  readonly retry: AlarmRetry | undefined
  readonly steps: ReadonlyArray<Step>
  readonly duplicateKey: Buffer | undefined
  /** The subject could not be parsed; the run carries only the notice about it. */
  readonly malformed: boolean
  /** Loopback address and port that its webhooks may reach; null: none. */
  readonly admit: string | null
}

/**
 * Inserts a run with its targets, all pending; fallbacks have no due time. Returns the target ids in the given order,
 * or undefined when the trigger already has a run.
 */
export const insertRun = (
  run: NewRun,
  targets: ReadonlyArray<PlacedTarget> = [],
  now = 0
): Db<ReadonlyArray<number> | undefined> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const pg = yield* PgClient.PgClient
    const { payload, ...trigger } = run.trigger
    const [row] = yield* sql<{
      inserted: boolean
      targets: ReadonlyArray<number>
    }>`with made as (insert into comm_dispatcher.run
      (id, trigger_key, tenant_id, event_type, state, reason, severity, subject, body, sender, mode, retry, source,
       steps,
       malformed, admit, duplicate_key, received_at, finished_at)
      values (${run.id}::uuid, ${trigger.trigger_key}, ${trigger.tenant_id}, ${trigger.event_type}, ${run.state},
        ${run.reason},
        ${run.severity}, ${payload.email_subject}, ${payload.email_body}, ${payload.email_from}, ${run.mode},
        ${run.retry === undefined ? null : pg.json(run.retry)}, ${pg.json(trigger.source)}, ${pg.json(run.steps)},
        ${run.malformed}, ${run.admit}, ${run.duplicateKey ?? null}, ${new Date(trigger.received_at)},
        ${run.state === "running" ? null : sql`now()`})
      on conflict (trigger_key) do nothing returning id, tenant_id),
      aimed as (insert into comm_dispatcher.target
          (run_id, tenant_id, position, chain, step, has_fallback, channel, target, options, state, due_at, record)
        select made.id, made.tenant_id, t.position, t.chain, t.step, t.has_fallback, t.channel, t.target,
          t.options::jsonb, 'pending',
               case when t.step = 0 then ${new Date(now)}::timestamptz end,
               case when t.step = 0 then ${JSON.stringify(RetryPlan.initial(now))}::text::jsonb
                 else ${waiting}::text::jsonb end
          from made, unnest(${targets.map((target) => target.position)}::int[],
            ${targets.map((target) => target.chain)}::int[],
                            ${targets.map((target) => target.step)}::int[],
                            ${targets.map((target) => target.hasFallback)}::boolean[],
                            ${targets.map((target) => target.channel)}::text[],
                            ${targets.map((target) => target.target)}::text[],
                            ${targets.map((target) => JSON.stringify(target.options ?? {}))}::text[])
                 as t (position, chain, step, has_fallback, channel, target, options)
        returning id, position)
      select exists (select 1 from made) as inserted,
             coalesce((select array_agg(id::float8 order by position) from aimed), '{}') as targets`
    return row!.inserted ? row!.targets : undefined
  })

/** Record of a fallback that is not active. */
const waiting = JSON.stringify(RetryPlan.initial(null))

/** A run and the key that finds its duplicates. */
export interface Keyed {
  readonly id: string
  readonly key: Buffer
}

/**
 * Ids of the runs that repeat another run within the cooldown, including an earlier run of the same call. Locks each
 * key, so that concurrent duplicates are detected.
 */
export const repeatedRuns = (keyed: ReadonlyArray<Keyed>, cooldownSeconds: number): Db<ReadonlySet<string>> =>
  Effect.gen(function* () {
    const repeated = new Set<string>()
    if (keyed.length === 0 || cooldownSeconds === 0) return repeated
    const sql = yield* SqlClient.SqlClient
    const keys = [...new Set(keyed.map(({ key }) => key.toString("hex")))]
    const halves = keys.map((key) => Buffer.from(key, "hex"))
    // The order of the locks is the same everywhere, so that two transactions wait and do not deadlock.
    yield* sql`select pg_advisory_xact_lock(k.a, k.b) from (select * from unnest(
        ${halves.map((key) => key.readInt32BE(0))}::int[],
        ${halves.map((key) => key.readInt32BE(4))}::int[]) as k (a, b)
        order by a, b) k`
    const rows = yield* sql<{
      key: string
      id: string
    }>`select encode(duplicate_key, 'hex') as key, id::text as id from comm_dispatcher.run
      where duplicate_key = any(array(select decode(k, 'hex') from unnest(${keys}::text[]) k))
        and created_at > now() - make_interval(secs => ${cooldownSeconds})`
    const owners = new Map<string, Set<string>>()
    const own = (key: string, id: string) => owners.set(key, (owners.get(key) ?? new Set()).add(id))
    for (const { id, key } of rows) own(key, id)
    for (const { id, key } of keyed) {
      const hex = key.toString("hex")
      if ([...(owners.get(hex) ?? [])].some((owner) => owner !== id)) repeated.add(id)
      else own(hex, id)
    }
    return repeated
  })

/** The newest alarm that a reply mail refers to by message id. */
export const answeredRun = (messageIds: ReadonlyArray<string>, tenantId: number): Db<string | undefined> =>
  messageIds.length === 0
    ? Effect.succeed(undefined)
    : Effect.flatMap(SqlClient.SqlClient, (sql) =>
        Effect.map(
          sql<{ id: string }>`select id::text as id from comm_dispatcher.run
        where source ? 'message_id' and source->>'message_id' = any(${messageIds}::text[]) and tenant_id = ${tenantId}
          and state not in ('rejected', 'duplicate', 'acknowledgement')
        order by seq desc limit 1`,
          (rows) => rows[0]?.id
        )
      )

/** Removes runs that finished more than `days` ago. Returns their number. */
export const prune = (days: number): Db<number> =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql`delete from comm_dispatcher.run where finished_at < now() - make_interval(days => ${days}) returning 1`,
      (rows) => rows.length
    )
  )

/** API address of a run. */
export const linkOf = (id: string): string => `/api/v1/workflows/runs/${id}`
