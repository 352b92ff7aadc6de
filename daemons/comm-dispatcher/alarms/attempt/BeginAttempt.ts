/**
 * The ledger's hot writes, each for all that ask at the same time: runs started, first attempts begun, attempts ended. A storm
 * then costs a commit for each batch and not for each alarm and target.
 */
import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Exit, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import type { AlarmTrigger } from "#core/contracts/Alarm.ts"
import * as Batcher from "#core/sql/Batcher.ts"
import type { Database } from "#core/sql/Database.ts"
import type { Events } from "#core/events/Events.ts"
import * as JobBatch from "#core/jobs/JobBatch.ts"
import type { ClaimedJob, ClaimLost, Jobs } from "#core/jobs/Jobs.ts"
import { conclude, type Concluded, type Ended } from "./RecordOutcome.ts"
import type { AlarmConfig } from "../Settings.ts"
import { tellingFirst } from "./ProgressEvents.ts"
import * as RetryPlan from "./RetryPlan.ts"
import { joinRun, rowColumns, type TargetRow } from "./TargetRow.ts"
import { type Started, Workflow } from "../run/StartRun.ts"

/** Unit: targets in one transaction. Reason: well above what is in hand; bounds the locks of one. */
const most = 64

/** Unit: triggers in one transaction. Reason: each brings its targets and their jobs; the first of them should go soon. */
const mostTriggers = 16

export class Recorder extends Context.Service<
  Recorder,
  {
    /** Starts the run of a trigger together with the completion of its claim. */
    readonly start: (trigger: {
      readonly job: ClaimedJob<typeof AlarmTrigger.data.Type>
    }) => Effect.Effect<Started, SqlError.SqlError | ClaimLost>
    /** Begins a target that was never tried; undefined for all others, which take the long way. */
    readonly beginFirst: (targetId: number) => Effect.Effect<TargetRow | undefined, SqlError.SqlError>
    /** Records the end of an attempt together with the completion of its claim. */
    readonly conclude: (ended: Ended & JobBatch.WithJob) => Effect.Effect<Concluded, SqlError.SqlError | ClaimLost>
  }
>()("signalbox/comm-dispatcher/Recorder") {}

export const layer = (
  config: AlarmConfig
): Layer.Layer<Recorder, never, SqlClient.SqlClient | PgClient.PgClient | Database | Events | Jobs | Workflow> =>
  Layer.effect(
    Recorder,
    Effect.gen(function* () {
      const workflow = yield* Workflow
      return Recorder.of({
        start: yield* JobBatch.make(
          (triggers: ReadonlyArray<{ readonly job: ClaimedJob<typeof AlarmTrigger.data.Type> }>) =>
            workflow.startAll(triggers.map(({ job }) => job.data)),
          { most: mostTriggers }
        ),
        beginFirst: yield* Batcher.make(
          (ids: ReadonlyArray<number>) =>
            Effect.map(Effect.exit(beginAll(ids)), (done) =>
              ids.map((id) => Exit.map(done, (rows) => rows.find((row) => row.id === id)))
            ),
          { most }
        ),
        conclude: yield* JobBatch.make((ends: ReadonlyArray<Ended & JobBatch.WithJob>) => conclude(ends, config), {
          most
        })
      })
    })
  )

/** The record of every target at its first attempt, but for when it was due. */
const firstRecord = RetryPlan.claim(RetryPlan.initial(0), 0)!

const beginAll = Effect.fnUntraced(function* (ids: ReadonlyArray<number>) {
  const sql = yield* SqlClient.SqlClient
  const pg = yield* PgClient.PgClient
  const { rung, told } = yield* tellingFirst(sql)
  const now = new Date()
  return yield* sql<TargetRow>`with t as (update comm_dispatcher.target
        set state = 'attempting', due_at = null, updated_at = now(),
            record = ${pg.json(firstRecord)}::jsonb || jsonb_build_object('since', record->'dueAt')
        where id = any(${ids}::bigint[]) and state = 'pending' and record->>'begun' = '0' and due_at <= ${now} returning *),
      noted as (insert into comm_dispatcher.attempt (target_id, tenant_id, number, state, started_at)
        select id, tenant_id, 1, 'attempting', ${now}::timestamptz from t),
      told as (${told})
    select ${sql.literal(rowColumns)}, ${rung} from t ${sql.literal(joinRun)}`
})
