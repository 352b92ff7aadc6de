/** Marks of set-up steps: those that no setting shows as done, and those that an operator does not want. */
import { Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"

export interface StepMark {
  readonly name: string
  readonly state: "done" | "skipped"
  /** Timestamp as JSON shows it. */
  readonly changed_at: string
  readonly changed_by: string
}

/** All marks, by name. */
export const marks: Effect.Effect<ReadonlyMap<string, StepMark>, SqlError.SqlError, SqlClient.SqlClient> = Effect.gen(
  function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql<StepMark>`select name, state, to_json(changed_at) #>> '{}' as changed_at, changed_by
      from core.setup_step`
    return new Map(rows.map((row) => [row.name, row]))
  }
)

/** Marks a step, or removes its mark (undefined). A step that is done stays done. */
export const mark = (
  name: string,
  state: StepMark["state"] | undefined,
  by: string
): Effect.Effect<void, SqlError.SqlError, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* state === undefined
      ? sql`delete from core.setup_step where name = ${name} and state = 'skipped'`
      : sql`insert into core.setup_step as s (name, state, changed_by) values (${name}, ${state}, ${by})
          on conflict (name) do update set state = excluded.state, changed_at = now(), changed_by = excluded.changed_by
          where s.state = 'skipped'`
  })

/** Name of the step that a delivered test alarm completes. */
export const testAlarmStep = "test-alarm"
