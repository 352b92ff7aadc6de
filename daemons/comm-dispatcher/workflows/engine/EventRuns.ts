/** Ledger rows of runs that events begin. Runs in the surrounding transaction. */
import { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import type { Event } from "#core/events/Events.ts"
import type { RunState, Step } from "../../alarms/Exports.ts"
import type { Beginning } from "./MatchEvent.ts"
import * as StepPlan from "./StepPlan.ts"

type Db<A> = Effect.Effect<A, SqlError.SqlError, SqlClient.SqlClient | PgClient.PgClient>

/** Inserts the run unless it exists. Returns whether it is new and has steps to run. */
export const insert = (
  { failure, id, subject, tenantId, triggerKey, workflow }: Beginning,
  event: Event
): Db<boolean> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const pg = yield* PgClient.PgClient
    const at = new Date().toISOString()
    const names = workflow.steps.map(({ name }) => name)
    const steps: ReadonlyArray<Step> =
      failure === undefined ? StepPlan.begun(names, at) : names.map((name) => ({ name, state: "skipped", at }))
    const [made] = yield* sql`insert into comm_dispatcher.run
        (id, trigger_key, tenant_id, event_type, state, reason, subject, body, sender, mode, source, steps, received_at,
         finished_at, workflow, event_id, event)
      values (${id}::uuid, ${triggerKey}, ${tenantId}, ${event.type},
        ${failure === undefined ? "running" : "failed"}, ${failure ?? null}, ${subject},
        '', ${event.source}, 'sequential', ${pg.json({ kind: "event", event_id: String(event.id) })}, ${pg.json(steps)},
        ${event.at},
        ${failure === undefined ? null : sql`now()`}, ${workflow.name}, ${event.id}, ${pg.json(stored(event))})
      on conflict (trigger_key) do nothing returning 1`
    return made !== undefined && failure === undefined
  })

/** The columns of a run that its worker needs. */
export interface EventRun {
  readonly workflow: string
  readonly tenant_id: number
  readonly state: RunState
  readonly steps: ReadonlyArray<Step>
  readonly event: Event
}

/** Undefined: it was pruned. */
export const load = (id: string): Db<EventRun | undefined> =>
  Effect.map(
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) =>
        sql<Omit<EventRun, "event"> & { readonly event: Stored }>`
        select workflow, tenant_id, state, steps, event from comm_dispatcher.run where id = ${id}::uuid
          and event is not null`
    ),
    ([row]) =>
      row === undefined
        ? undefined
        : { ...row, event: { ...row.event, id: BigInt(row.event.id), at: new Date(row.event.at) } }
  )

/** Records the result of a step. */
export const record = (id: string, { reason, state, steps }: StepPlan.Next): Db<void> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const pg = yield* PgClient.PgClient
    yield* sql`update comm_dispatcher.run set state = ${state}, reason = ${reason}, steps = ${pg.json(steps)},
      finished_at = ${state === "running" ? null : sql`now()`} where id = ${id}::uuid`
  })

/** An event as JSON. */
interface Stored extends Omit<Event, "id" | "at"> {
  readonly id: string
  readonly at: string
}

const stored = ({ at, data, id, source, tenantId, type, userId }: Event): Stored => ({
  id: String(id),
  type,
  source,
  tenantId,
  userId,
  data,
  at: at.toISOString()
})
