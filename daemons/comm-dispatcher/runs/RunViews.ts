/** Runs as the API and the command line show them: the list, and one run with its targets and attempts. */
import type { PgClient } from "@effect/sql-pg"
import { Effect, Option, Schema } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { AlarmSource } from "#core/contracts/Alarm.ts"
import { headline, TargetOptions } from "../vocabulary/Exports.ts"
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

/** A target in a list of runs. */
export const ListedTarget = Schema.Struct({
  channel: Schema.String,
  target: Schema.String,
  state: TargetState,
  /** Position among the targets. */
  position: Schema.Int
})

/** Targets of a run that a list shows. Reason: they are labels in one row; `target_count` has the number of all. */
const listedTargets = 12

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
  /** First line of the text; the subject of a run without text. */
  title: Schema.String,
  sender: Schema.String,
  /** Targets without fallbacks. A target whose fallback was reached counts as delivered. */
  target_count: Schema.Int,
  delivered_count: Schema.Int,
  received_at: Schema.String,
  created_at: Schema.String,
  finished_at: Schema.NullOr(Schema.String),
  acknowledged_at: Schema.NullOr(Schema.String),
  acknowledged_by: Schema.NullOr(Schema.String),
  /** Name of the user who acknowledged; null when no known user of the tenant did. */
  acknowledged_name: Schema.NullOr(Schema.String),
  /** The first targets, in the order of the subject. */
  targets: Schema.Array(ListedTarget)
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

/** Beginning of a text that the title is made of. Unit: characters. Reason: longer than a title. */
const headLength = 400

const summaryColumns = `r.id::text as id, r.seq::float8 as seq, r.workflow, r.event_type, r.state, r.reason,
  r.severity, r.subject, r.sender, left(r.body, ${headLength}) as head,
  (select count(distinct t.chain)::int from comm_dispatcher.target t where t.run_id = r.id) as target_count,
  (select count(distinct t.chain)::int from comm_dispatcher.target t where t.run_id = r.id
    and t.state = 'delivered') as delivered_count,
  ${iso("r.received_at")} as received_at, ${iso("r.created_at")} as created_at, ${iso("r.finished_at")} as finished_at,
  ${iso("r.acknowledged_at")} as acknowledged_at, r.acknowledged_by,
  (select nullif(m.name, '') from comm_dispatcher.member m
    where m.user_id = substring(r.acknowledged_by from '^user:([0-9]{1,9})(?::|$)')::int) as acknowledged_name`

/** Targets of the list. */
const targetColumn = `(select coalesce(jsonb_agg(jsonb_build_object('channel', t.channel, 'target', t.target,
      'state', t.state, 'position', t.position) order by t.position), '[]')
    from (select * from comm_dispatcher.target t where t.run_id = r.id order by t.position
      limit ${listedTargets}) t) as targets`

/** A row before its title is known. */
type Untitled<Row extends { readonly title: string }> = Omit<Row, "title"> & { readonly head: string }

const titled = <Row extends { readonly head: string; readonly subject: string }>({ head, ...row }: Row) => ({
  ...row,
  title: headline(head) || row.subject
})

/** Runs that were sent as an alarm, and can be acknowledged. */
const isSent = `r.workflow = '${alarmName}' and r.state not in ('rejected', 'duplicate', 'acknowledgement')`

export interface RunFilter {
  readonly workflow?: string
  readonly state?: RunState
  readonly severity?: string
  /** `true`: only acknowledged runs. `false`: only alarms that nobody has acknowledged. */
  readonly acknowledged?: "true" | "false"
  /** Text in subject, sender or the beginning of the text. */
  readonly q?: string
  /** Only runs older than this position. */
  readonly before?: number
  readonly limit: number
}

/** Written so that it matches the partial index of the runs that are no alarms. */
const isOf = (sql: SqlClient.SqlClient, workflow: string) =>
  workflow === alarmName
    ? sql`r.workflow = ${alarmName}`
    : sql`r.workflow = ${workflow} and r.workflow <> ${sql.literal(`'${alarmName}'`)}`

/** A text as a pattern of `ilike` that matches a part. */
const partOf = (text: string): string => `%${text.replace(/[\\%_]/g, "\\$&")}%`

const isFound = (sql: SqlClient.SqlClient, q: string) =>
  sql`(r.subject ilike ${partOf(q)} or r.sender ilike ${partOf(q)}
    or left(r.body, ${headLength}) ilike ${partOf(q)} or r.id::text = ${q.trim().toLowerCase()})`

const isAcknowledged = (sql: SqlClient.SqlClient, wanted: "true" | "false") =>
  wanted === "true" ? sql`r.acknowledged_at is not null` : sql`r.acknowledged_at is null and ${sql.literal(isSent)}`

/** Newest first. */
export const listRuns = (filter: RunFilter): Db<ReadonlyArray<RunSummary>> =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql<Untitled<RunSummary>>`select ${sql.literal(summaryColumns)}, ${sql.literal(targetColumn)}
      from comm_dispatcher.run r
      where ${filter.workflow === undefined ? sql`true` : isOf(sql, filter.workflow)}
        and (${filter.state ?? null}::text is null or r.state = ${filter.state ?? null})
        and (${filter.severity ?? null}::text is null or r.severity = ${filter.severity ?? null})
        and (${filter.before ?? null}::float8 is null or r.seq < ${filter.before ?? null})
        and ${filter.acknowledged === undefined ? sql`true` : isAcknowledged(sql, filter.acknowledged)}
        and ${filter.q === undefined ? sql`true` : isFound(sql, filter.q)}
      order by r.seq desc limit ${filter.limit}`,
      (rows) => rows.map(titled)
    )
  )

/** One run with its targets and their attempts. */
export const getRun = (id: string): Db<Option.Option<RunView>> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [run] = yield* sql<Omit<Untitled<RunView>, "targets">>`
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
    return Option.some({ ...titled(run), targets })
  })

/** API address of a run. */
export const linkOf = (id: string): string => `/api/v1/workflows/runs/${id}`
