/**
 * The ledger's two hot writes, each for all deliveries that ask at the same time: first attempts begun, and attempts ended.
 * A storm then costs a commit for each batch and not for each target.
 */
import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Exit, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import * as Batcher from "#core/Batcher.ts"
import { Database } from "#core/Database.ts"
import { Events } from "#core/Events.ts"
import { type ClaimedJob, type ClaimLost, Jobs } from "#core/Jobs.ts"
import { transaction } from "#core/Sql.ts"
import { conclude, type Concluded, type Ended } from "./Conclusion.ts"
import type { CommConfig } from "./Config.ts"
import * as RetryPlan from "./RetryPlan.ts"
import { rowColumns, type TargetRow } from "./TargetRow.ts"

/** Unit: targets in one transaction. Reason: well above what is in hand; bounds the locks of one. */
const most = 64

export class Recorder extends Context.Service<Recorder, {
  /** Begins a target that was never tried; undefined for all others, which take the long way. */
  readonly beginFirst: (targetId: number) => Effect.Effect<TargetRow | undefined, SqlError.SqlError>
  /** Records the end of an attempt together with the completion of its claim. */
  readonly conclude: (ended: Ended & { readonly job: ClaimedJob<unknown> }) => Effect.Effect<Concluded, SqlError.SqlError | ClaimLost>
}>()("signalbox/comm-dispatcher/Recorder") {}

export const layer = (
  config: CommConfig
): Layer.Layer<Recorder, never, SqlClient.SqlClient | PgClient.PgClient | Database | Events | Jobs> =>
  Layer.effect(
    Recorder,
    Effect.gen(function*() {
      const { completeAll } = yield* Jobs
      const record = (ends: ReadonlyArray<Ended & { readonly job: ClaimedJob<unknown> }>) =>
        Effect.exit(transaction(Effect.andThen(completeAll(ends.map(({ job }) => job)), conclude(ends, config))))
      return Recorder.of({
        beginFirst: yield* Batcher.make((ids: ReadonlyArray<number>) => Effect.map(Effect.exit(beginAll(ids)), (done) =>
          ids.map((id) => Exit.map(done, (rows) => rows.find((row) => row.id === id)))), { most }),
        conclude: yield* Batcher.make((ends: ReadonlyArray<Ended & { readonly job: ClaimedJob<unknown> }>) => Effect.gen(function*() {
          const done = yield* record(ends)
          if (Exit.isSuccess(done) || ends.length === 1) return ends.map((_, index) => Exit.map(done, (concluded) => concluded[index]!))
          // One of them may be what failed, a claim that went to somebody else: each by itself.
          return yield* Effect.forEach(ends, (end) => Effect.map(record([end]), Exit.map(([concluded]) => concluded!)))
        }), { most })
      })
    })
  )

/** The record of every target at its first attempt, but for when it was due. */
const firstRecord = RetryPlan.claim(RetryPlan.initial(0), 0)!

const beginAll = Effect.fnUntraced(function*(ids: ReadonlyArray<number>) {
  const sql = yield* SqlClient.SqlClient
  const pg = yield* PgClient.PgClient
  const now = new Date()
  return yield* sql<TargetRow>`with t as (update comm_dispatcher.target
        set state = 'attempting', due_at = null, updated_at = now(),
            record = ${pg.json(firstRecord)}::jsonb || jsonb_build_object('since', record->'dueAt')
        where id = any(${ids}::bigint[]) and state = 'pending' and record->>'begun' = '0' and due_at <= ${now} returning *),
      noted as (insert into comm_dispatcher.attempt (target_id, tenant_id, number, state, started_at)
        select id, tenant_id, 1, 'attempting', ${now}::timestamptz from t)
    select ${sql.literal(rowColumns)} from t join comm_dispatcher.run r on r.id = t.run_id`
})
