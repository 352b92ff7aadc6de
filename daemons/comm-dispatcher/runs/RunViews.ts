/** Runs as the API and the command line show them: the list, and one run with its targets and attempts. */
import type { PgClient } from "@effect/sql-pg"
import { Effect, Option, Schema } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { AlarmSource } from "#core/contracts/Alarm.ts"
import { TargetOptions } from "../vocabulary/Exports.ts"
import { alarmName, RunState, Step, TargetState } from "./Workflow.ts"

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
  state: TargetState,
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

export const RunSource = Schema.Union([AlarmSource, EventSource])
export type RunSource = typeof RunSource.Type

export const RunView = Schema.Struct({
  ...RunSummary.fields,
  body: Schema.String,
  mode: Schema.String,
  /** `RETRY:NxMm` of the subject; null without it. */
  retry: Schema.NullOr(Schema.Struct({ attempts: Schema.Int, pause_minutes: Schema.Number })),
  source: RunSource,
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
  workflow === alarmName
    ? sql`r.workflow = ${alarmName}`
    : sql`r.workflow = ${workflow} and r.workflow <> ${sql.literal(`'${alarmName}'`)}`

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

/** API address of a run. */
export const linkOf = (id: string): string => `/api/v1/workflows/runs/${id}`
