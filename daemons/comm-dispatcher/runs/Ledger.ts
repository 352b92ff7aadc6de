/**
 * All statements that write the table `run`: begin, record, acknowledge and prune. Every workflow uses them; the source
 * rule `foreignWrites` refuses such statements elsewhere. They run in the caller's transaction.
 */
import { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import type { Event } from "#core/events/Events.ts"
import { keyedId } from "#core/jobs/Jobs.ts"
import type { Channel, Severity, TargetOptions } from "../vocabulary/Exports.ts"
import type { RunSource } from "./RunViews.ts"
import type { RunState, Step } from "./Workflow.ts"

type Db<A> = Effect.Effect<A, SqlError.SqlError, SqlClient.SqlClient | PgClient.PgClient>

/** The trigger of a run: an alarm mail, a direct request or an event. */
export interface RunTrigger {
  /** Unique: a repeated trigger begins no second run. */
  readonly key: string
  readonly tenantId: number
  readonly eventType: string
  readonly subject: string
  readonly body: string
  readonly sender: string
  readonly source: RunSource
  readonly receivedAt: Date
  /**
   * The event that started the run; absent for the other triggers. The run stores a copy of it, because events are
   * deleted before runs are. An event that a request describes has the id 0 and is not in the event log.
   */
  readonly event?: Event
}

export interface NewRun {
  readonly workflow: string
  readonly trigger: RunTrigger
  readonly state: RunState
  readonly reason: string | null
  readonly steps: ReadonlyArray<Step>
  /** `parallel` or `sequential`. */
  readonly mode: string
  readonly severity?: Severity | null
  /** `RETRY:NxMm` of the subject. */
  readonly retry?: { readonly attempts: number; readonly pauseMinutes: number } | undefined
  readonly duplicateKey?: Buffer | undefined
  /** The subject could not be parsed; the run carries only the notice about it. Default: false. */
  readonly malformed?: boolean
  /** Loopback address and port that its webhooks may reach. Default: none. */
  readonly admit?: string | null
  /** Its webhooks may reach SIGNALBOX_WEBHOOK_ALLOW_CIDRS. Default: false. */
  readonly privateRanges?: boolean
}

/** A pending target of a new run. */
export interface NewTarget {
  readonly position: number
  /** Position of the first target of its chain. */
  readonly chain: number
  /** 0 for the first target of a chain. */
  readonly step: number
  /** Fallbacks follow in its chain. */
  readonly hasFallback: boolean
  readonly channel: Channel
  readonly target: string
  readonly options?: TargetOptions
  /** Input of the retry rules. `dueAt`: epoch milliseconds of the first attempt; null for a fallback. */
  readonly record: { readonly dueAt: number | null }
}

/** Id of a trigger's run, derived from the trigger key. */
export const runIdOf = (triggerKey: string): string => keyedId("run", triggerKey)

/**
 * Inserts a run with its targets. Returns the target ids in the given order, or undefined when the trigger already has
 * a run.
 */
export const begin = (
  { trigger, ...run }: NewRun,
  targets: ReadonlyArray<NewTarget> = []
): Db<ReadonlyArray<number> | undefined> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const pg = yield* PgClient.PgClient
    const { event } = trigger
    // The client cannot send an array of nulls only, so a target that is not due has an empty text here.
    const dueAt = targets.map(({ record }) => (record.dueAt === null ? "" : new Date(record.dueAt).toISOString()))
    const [row] = yield* sql<{
      inserted: boolean
      targets: ReadonlyArray<number>
    }>`with made as (insert into comm_dispatcher.run
      (id, trigger_key, tenant_id, event_type, state, reason, severity, subject, body, sender, mode, retry, source,
       steps, malformed, admit, private_ranges, duplicate_key, received_at, finished_at, workflow, event_id, event)
      values (${runIdOf(trigger.key)}::uuid, ${trigger.key}, ${trigger.tenantId}, ${trigger.eventType}, ${run.state},
        ${run.reason}, ${run.severity ?? null}, ${trigger.subject}, ${trigger.body}, ${trigger.sender}, ${run.mode},
        ${run.retry === undefined ? null : pg.json(run.retry)}, ${pg.json(trigger.source)}, ${pg.json(run.steps)},
        ${run.malformed ?? false}, ${run.admit ?? null}, ${run.privateRanges ?? false},
        ${run.duplicateKey ?? null}, ${trigger.receivedAt}, ${run.state === "running" ? null : sql`now()`},
        ${run.workflow}, ${trigger.source.kind === "event" ? (event?.id ?? null) : null},
        ${event === undefined ? null : pg.json(stored(event))})
      on conflict (trigger_key) do nothing returning id, tenant_id),
      aimed as (insert into comm_dispatcher.target
          (run_id, tenant_id, position, chain, step, has_fallback, channel, target, options, state, due_at, record)
        select made.id, made.tenant_id, t.position, t.chain, t.step, t.has_fallback, t.channel, t.target,
          t.options::jsonb, 'pending', nullif(t.due_at, '')::timestamptz, t.record::jsonb
          from made, unnest(${targets.map((target) => target.position)}::int[],
            ${targets.map((target) => target.chain)}::int[],
                            ${targets.map((target) => target.step)}::int[],
                            ${targets.map((target) => target.hasFallback)}::boolean[],
                            ${targets.map((target) => target.channel)}::text[],
                            ${targets.map((target) => target.target)}::text[],
                            ${targets.map((target) => JSON.stringify(target.options ?? {}))}::text[],
                            ${dueAt}::text[],
                            ${targets.map((target) => JSON.stringify(target.record))}::text[])
                 as t (position, chain, step, has_fallback, channel, target, options, due_at, record)
        returning id, position)
      select exists (select 1 from made) as inserted,
             coalesce((select array_agg(id::float8 order by position) from aimed), '{}') as targets`
    return row!.inserted ? row!.targets : undefined
  })

/** The columns that the steps of an event's run need. */
export interface EventRun {
  readonly workflow: string
  readonly tenant_id: number
  readonly state: RunState
  readonly steps: ReadonlyArray<Step>
  readonly event: Event
}

/** Loads a run that an event began. Undefined: it was pruned. */
export const loadEventRun = (id: string): Db<EventRun | undefined> =>
  Effect.map(
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) =>
        sql<Omit<EventRun, "event"> & { readonly event: StoredEvent }>`
        select workflow, tenant_id, state, steps, event from comm_dispatcher.run where id = ${id}::uuid
          and event is not null`
    ),
    ([row]) =>
      row === undefined
        ? undefined
        : { ...row, event: { ...row.event, id: BigInt(row.event.id), at: new Date(row.event.at) } }
  )

/** The columns of an unfinished run that decide its final state. */
export interface OpenRun {
  readonly id: string
  readonly tenant_id: number
  readonly severity: string | null
  readonly steps: ReadonlyArray<Step>
  readonly malformed: boolean
  readonly reason: string | null
  readonly acknowledged: boolean
}

/**
 * Locks the unfinished ones of these runs. The lock order is the same everywhere, so that two transactions wait and do
 * not deadlock.
 */
export const lockOpen = (ids: ReadonlyArray<string>): Db<ReadonlyArray<OpenRun>> =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql<OpenRun>`
      select id::text as id, tenant_id, severity, steps, malformed, reason, acknowledged_at is not null as acknowledged
        from comm_dispatcher.run where id = any(${ids}::uuid[]) and finished_at is null order by id for update`
  )

/** A run's new steps and state. Every state except `running` finishes the run. */
export interface Move {
  readonly id: string
  readonly state: RunState
  readonly steps: ReadonlyArray<Step>
  /** Null: unchanged. */
  readonly reason: string | null
}

/** Records steps and states of runs. A finished run is not changed again. */
export const record = (moves: ReadonlyArray<Move>): Db<void> =>
  moves.length === 0
    ? Effect.void
    : Effect.flatMap(SqlClient.SqlClient, (sql) =>
        Effect.asVoid(sql`update comm_dispatcher.run r set state = n.state, steps = n.steps::jsonb,
          reason = coalesce(n.reason::jsonb #>> '{}', r.reason),
          finished_at = case when n.state <> 'running' then now() end
          from unnest(${moves.map(({ id }) => id)}::uuid[], ${moves.map(({ state }) => state)}::text[],
            ${moves.map(({ steps }) => JSON.stringify(steps))}::text[],
            ${moves.map(({ reason }) => JSON.stringify(reason))}::text[])
            as n (id, state, steps, reason) where r.id = n.id and r.finished_at is null`)
      )

export interface Acknowledgement {
  readonly tenant_id: number
  /** True for the first acknowledgement of the run. */
  readonly first: boolean
  readonly at: string
  /** The first who acknowledged. */
  readonly by: string
}

/** Records who acknowledged a run of the workflow, once. Undefined: no such run is in scope. */
export const acknowledge = (id: string, workflow: string, by: string): Db<Acknowledgement | undefined> =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql<Acknowledgement>`
      update comm_dispatcher.run r set acknowledged_at = coalesce(r.acknowledged_at, now()),
             acknowledged_by = coalesce(r.acknowledged_by, ${by})
        from comm_dispatcher.run was where was.id = r.id and r.id = ${id}::uuid and r.workflow = ${workflow}
      returning r.tenant_id, was.acknowledged_at is null as first, r.acknowledged_by as by,
             to_char(r.acknowledged_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at`,
      (rows) => rows[0]
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

/** An event as JSON. */
interface StoredEvent extends Omit<Event, "id" | "at"> {
  readonly id: string
  readonly at: string
}

const stored = ({ at, data, id, source, tenantId, type, userId }: Event): StoredEvent => ({
  id: String(id),
  type,
  source,
  tenantId,
  userId,
  data,
  at: at.toISOString()
})
