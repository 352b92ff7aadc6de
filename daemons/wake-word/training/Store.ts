/** Statements of trainings. Each runs in the surrounding transaction, which hides other tenants' rows. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { WakeWordTrainingProgress } from "#core/contracts/WakeWord.ts"
import { Events } from "#core/events/Events.ts"
import { Wake } from "#core/events/Wake.ts"
import { NotFound } from "#core/http/Problem.ts"
import * as Audit from "#core/log/Audit.ts"
import { asPlatform } from "#core/sql/Sql.ts"
import { ModelStore } from "../models/Exports.ts"
import { modelStem } from "../vocabulary/Exports.ts"
import type { TrainingView } from "./Api.ts"
import { ModelNameTaken, TrainingEnded, TrainingQuota } from "./Errors.ts"
import { type JobState, type Phase, phases, type Size } from "./Phases.ts"

/** Topic that wakes the runner: a training was added or cancelled. */
export const trainingTopic = "wake word trainings"

/** What the phases of a training found. */
export interface Report {
  readonly threshold?: number
  readonly extractor?: string
  readonly metrics?: ModelStore.NewModel["metrics"]
  readonly curve?: ModelStore.NewModel["curve"]
}

export interface TrainingRow {
  readonly id: string
  readonly seq: number
  readonly tenant_id: number
  readonly word: string
  readonly language: string
  readonly name: string
  readonly seed: number
  readonly size: Size
  readonly use_uploads: boolean
  readonly state: JobState
  readonly phase: Phase | null
  readonly progress: ReadonlyArray<number>
  readonly attempts: number
  readonly phase_attempts: number
  readonly problem: string | null
  readonly report: Report
  readonly requested_by: string
  readonly created_at: Date
  readonly started_at: Date | null
  readonly finished_at: Date | null
  /** Open trainings of the tenant before this one. */
  readonly before: number
}

export const fields = (sql: SqlClient.SqlClient) =>
  sql`id, seq, tenant_id, word, language, name, seed, size, use_uploads, state, phase,
    array_to_json(progress) as progress, attempts, phase_attempts, problem, report, requested_by, created_at,
    started_at, finished_at, (select count(*)::int from wake_word.training o
      where o.tenant_id = training.tenant_id and o.state in ('waiting', 'running') and o.seq < training.seq) as before`

/** The row as the API shows it. */
export const view = ({
  before,
  created_at,
  finished_at,
  phase_attempts: _attempts,
  progress,
  report: _report,
  started_at,
  ...row
}: TrainingRow): typeof TrainingView.Type => ({
  ...row,
  job_id: row.id,
  phases: phases.map((phase, index) => ({ phase, progress: progress[index] ?? 0 })),
  position: row.state === "waiting" ? before : null,
  created_at: created_at.toISOString(),
  started_at: started_at?.toISOString() ?? null,
  finished_at: finished_at?.toISOString() ?? null
})

/** Trainings with `seq` below `before`, newest first. */
export const list = Effect.fnUntraced(function* (
  tenant: number,
  state: JobState | undefined,
  before: number | undefined,
  limit: number
) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<TrainingRow>`select ${fields(sql)} from wake_word.training
    where tenant_id = ${tenant} and ${before === undefined ? sql`true` : sql`seq < ${before}`}
      and ${state === undefined ? sql`true` : sql`state = ${state}`}
    order by seq desc limit ${limit}`
})

/** The training with this id, or 404. */
export const get = Effect.fnUntraced(function* (id: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<TrainingRow>`select ${fields(sql)} from wake_word.training where id = ${id}`
  return row ?? (yield* new NotFound({ detail: "The training does not exist." }))
})

/** Tells of the state of a training, in the surrounding transaction. */
export const announce = ({ id, name, phase, problem, progress, state, tenant_id, word }: TrainingRow) =>
  Effect.flatMap(Events, (events) =>
    events.emit(
      WakeWordTrainingProgress,
      "wake-word",
      { job_id: id, word, name, state, phase, progress: phase === null ? 0 : shareOf(progress, phase), problem },
      { tenantId: tenant_id }
    )
  )

const shareOf = (progress: ReadonlyArray<number>, phase: Phase): number => progress[phases.indexOf(phase)] ?? 0

export interface NewTraining {
  readonly word: string
  readonly language: string
  /** Undefined: made of the word. */
  readonly name: string | undefined
  readonly seed: number
  readonly size: Size
  readonly useUploads: boolean
}

/** Accepts a training. `maxOpen`: trainings of a tenant that may be open. */
export const add = Effect.fnUntraced(function* (tenant: number, wanted: NewTraining, maxOpen: number, actor: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`select pg_advisory_xact_lock(hashtext('wake_word.training'), ${tenant})`
  const [open] = yield* sql<{ readonly count: number }>`select count(*)::int as count from wake_word.training
    where tenant_id = ${tenant} and state in ('waiting', 'running')`
  if (open!.count >= maxOpen)
    return yield* new TrainingQuota({
      detail: `At most ${maxOpen} trainings of a tenant may wait or run.`,
      limit: maxOpen
    })
  const name = wanted.name ?? (yield* freeName(tenant, modelStem(wanted.word)))
  const { count, taken } = yield* ModelStore.names(tenant, name)
  if (count + open!.count >= ModelStore.maxModels)
    return yield* new TrainingQuota({
      detail: `A tenant may have ${ModelStore.maxModels} models; delete some.`,
      limit: ModelStore.maxModels
    })
  const [sameName] = yield* sql`select 1 from wake_word.training
    where tenant_id = ${tenant} and name = ${name} and state in ('waiting', 'running')`
  if (taken || sameName !== undefined)
    return yield* new ModelNameTaken({ detail: `There is a model, or an open training, named ${name}.` })
  const [row] = yield* sql<TrainingRow>`insert into wake_word.training
      (tenant_id, word, language, name, seed, size, use_uploads, requested_by)
    values (${tenant}, ${wanted.word}, ${wanted.language}, ${name}, ${wanted.seed}, ${wanted.size},
      ${wanted.useUploads}, ${actor})
    returning ${fields(sql)}`
  yield* Audit.write({
    tenantId: tenant,
    actor,
    action: "wakeword_training.requested",
    entity: "wakeword_training",
    id: row!.id,
    detail: { word: wanted.word, language: wanted.language, name }
  })
  yield* announce(row!)
  yield* wakeRunner
  return row!
})

/** The stem, or the stem with the lowest free number. */
const freeName = Effect.fnUntraced(function* (tenant: number, stem: string) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly name: string }>`
    select name from wake_word.model where tenant_id = ${tenant} and starts_with(name, ${stem})
    union select name from wake_word.training
      where tenant_id = ${tenant} and starts_with(name, ${stem}) and state in ('waiting', 'running')`
  const taken = new Set(rows.map(({ name }) => name))
  if (!taken.has(stem)) return stem
  let number = 2
  while (taken.has(`${stem}-${number}`)) number += 1
  return `${stem}-${number}`
})

const wakeRunner = Effect.flatMap(Wake, (wake) => asPlatform(wake.announce(trainingTopic)))

/** Cancels a training that waits or runs. Its process notices it within a second. */
export const cancel = Effect.fnUntraced(function* (id: string, actor: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<TrainingRow>`update wake_word.training
    set state = 'cancelled', runner = null, finished_at = now()
    where id = ${id} and state in ('waiting', 'running') returning ${fields(sql)}`
  if (row === undefined) {
    yield* get(id)
    return yield* new TrainingEnded({ detail: "The training has ended already." })
  }
  yield* sql`delete from wake_word.training_sample where job_id = ${id}`
  yield* Audit.write({
    tenantId: row.tenant_id,
    actor,
    action: "wakeword_training.cancelled",
    entity: "wakeword_training",
    id
  })
  yield* announce(row)
  yield* wakeRunner
  return row
})

/** How long ended trainings are kept. Unit: days. */
const keptDays = 90

export const prune = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) =>
    sql`delete from wake_word.training where finished_at < now() - make_interval(days => ${keptDays}) returning 1`
)
