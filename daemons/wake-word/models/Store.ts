/** Statements of models. Each runs in the surrounding transaction, which hides other tenants' rows. */
import { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { WakeWordModelActivated } from "#core/contracts/WakeWord.ts"
import { Events } from "#core/events/Events.ts"
import { Wake } from "#core/events/Wake.ts"
import { NotFound } from "#core/http/Problem.ts"
import * as Audit from "#core/log/Audit.ts"
import { asPlatform } from "#core/sql/Sql.ts"
import { GateRefused, ModelActive } from "./Errors.ts"
import { gate } from "./Gate.ts"
import type { CurvePoint, Metrics } from "./Metrics.ts"

/** Topic that wakes the processes that listen: the active model of a tenant changed. */
export const modelTopic = "wake word models"

/** Models of a tenant. Reason: each has about 200 KB, and nobody compares more. */
export const maxModels = 100

export interface ModelRow {
  readonly id: number
  readonly tenant_id: number
  readonly name: string
  readonly word: string
  readonly language: string
  readonly threshold: number
  readonly active: boolean
  readonly extractor: string
  readonly sha256: string
  readonly size: number
  readonly seed: number | null
  readonly job_id: string | null
  readonly metrics: Metrics
  readonly created_at: Date
  readonly activated_at: Date | null
}

type Curve = ReadonlyArray<typeof CurvePoint.Type>

const fields = (sql: SqlClient.SqlClient) =>
  sql`id, tenant_id, name, word, language, threshold, active, extractor, sha256, size, seed, job_id, metrics,
    created_at, activated_at`

/** The row as the API shows it. */
export const view = ({ activated_at, created_at, ...row }: ModelRow) => ({
  ...row,
  gate: gate(row.metrics),
  created_at: created_at.toISOString(),
  activated_at: activated_at?.toISOString() ?? null
})

/** Models with an id below `before`, newest first. */
export const list = Effect.fnUntraced(function* (tenant: number, before: number | undefined, limit: number) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<ModelRow>`select ${fields(sql)} from wake_word.model
    where tenant_id = ${tenant} and ${before === undefined ? sql`true` : sql`id < ${before}`}
    order by id desc limit ${limit}`
})

const missing = new NotFound({ detail: "The model does not exist." })

/** The model with this name and its curve, or 404. */
export const get = Effect.fnUntraced(function* (tenant: number, name: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<ModelRow & { readonly curve: Curve }>`select ${fields(sql)}, curve from wake_word.model
    where tenant_id = ${tenant} and name = ${name}`
  return row ?? (yield* missing)
})

/** File of the model with this name, or 404. */
export const file = Effect.fnUntraced(function* (tenant: number, name: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly file: Uint8Array }>`select file from wake_word.model
    where tenant_id = ${tenant} and name = ${name}`
  return row === undefined ? yield* missing : row.file
})

/** The active models of these tenants. */
export const activeOf = Effect.fnUntraced(function* (tenants: ReadonlyArray<number>) {
  const sql = yield* SqlClient.SqlClient
  if (tenants.length === 0) return []
  return yield* sql<ModelRow>`select ${fields(sql)} from wake_word.model
    where active and ${sql.in("tenant_id", tenants)}`
})

/** File of the model with this id; undefined when it was deleted. */
export const fileOf = Effect.fnUntraced(function* (id: number) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly file: Uint8Array }>`select file from wake_word.model where id = ${id}`
  return row?.file
})

const announce = Effect.fnUntraced(function* (tenant: number, model: { name: string; word: string } | undefined) {
  const events = yield* Events
  const wake = yield* Wake
  yield* events.emit(
    WakeWordModelActivated,
    "wake-word",
    { name: model?.name ?? null, word: model?.word ?? null },
    { tenantId: tenant }
  )
  yield* asPlatform(wake.announce(modelTopic))
})

/** Activates the model in place of the active one. `actor`: for the audit log. */
export const activate = Effect.fnUntraced(function* (tenant: number, name: string, force: boolean, actor: string) {
  const sql = yield* SqlClient.SqlClient
  const model = yield* get(tenant, name)
  const reasons = gate(model.metrics)
  if (reasons.length > 0 && !force)
    return yield* new GateRefused({ detail: `The model ${name} does not reach the bounds.`, reasons })
  // Two statements: the unique index allows one active model of a tenant at any time.
  yield* sql`update wake_word.model set active = false where tenant_id = ${tenant} and active and name <> ${name}`
  const [row] = yield* sql<ModelRow>`update wake_word.model set active = true, activated_at = now()
    where tenant_id = ${tenant} and name = ${name} returning ${fields(sql)}`
  if (row === undefined) return yield* missing
  yield* Audit.write({
    tenantId: tenant,
    actor,
    action: "wakeword_model.activated",
    entity: "wakeword_model",
    id: name,
    detail: { forced: reasons.length > 0, reasons }
  })
  yield* announce(tenant, row)
  return row
})

/** Deactivates the model; does nothing when another model or none is active. */
export const deactivate = Effect.fnUntraced(function* (tenant: number, name: string, actor: string) {
  const sql = yield* SqlClient.SqlClient
  const before = yield* get(tenant, name)
  if (!before.active) return before
  const [row] = yield* sql<ModelRow>`update wake_word.model set active = false
    where tenant_id = ${tenant} and name = ${name} returning ${fields(sql)}`
  if (row === undefined) return yield* missing
  yield* Audit.write({
    tenantId: tenant,
    actor,
    action: "wakeword_model.deactivated",
    entity: "wakeword_model",
    id: name
  })
  yield* announce(tenant, undefined)
  return row
})

/** Deletes a model that is not active. */
export const remove = Effect.fnUntraced(function* (tenant: number, name: string, actor: string) {
  const sql = yield* SqlClient.SqlClient
  const gone = yield* sql`delete from wake_word.model where tenant_id = ${tenant} and name = ${name} and not active
    returning 1`
  if (gone.length === 0) {
    yield* get(tenant, name)
    return yield* new ModelActive({ detail: `Activate another model, or deactivate ${name}, before deleting it.` })
  }
  yield* Audit.write({ tenantId: tenant, actor, action: "wakeword_model.deleted", entity: "wakeword_model", id: name })
})

/** A model as training makes it. */
export interface NewModel {
  readonly tenantId: number
  readonly name: string
  readonly word: string
  readonly language: string
  readonly threshold: number
  readonly extractor: string
  readonly sha256: string
  readonly file: Uint8Array
  readonly seed: number | null
  readonly jobId: string | null
  readonly metrics: Metrics
  readonly curve: Curve
}

/** Stores a model. A second one of the same training is ignored: the training was repeated after a crash. */
export const add = Effect.fnUntraced(function* (model: NewModel) {
  const sql = yield* SqlClient.SqlClient
  const pg = yield* PgClient.PgClient
  yield* sql`insert into wake_word.model (tenant_id, name, word, language, threshold, extractor, sha256, size, file,
      seed, job_id, metrics, curve)
    values (${model.tenantId}, ${model.name}, ${model.word}, ${model.language}, ${model.threshold},
      ${model.extractor}, ${model.sha256}, ${model.file.byteLength}, ${model.file}, ${model.seed}, ${model.jobId},
      ${pg.json(model.metrics)}::jsonb, ${pg.json(model.curve)}::jsonb)
    on conflict (job_id) where job_id is not null do nothing`
})

/** Whether the tenant has a model with this name, and how many models it has. */
export const names = Effect.fnUntraced(function* (tenant: number, name: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly taken: boolean; readonly count: number }>`
    select coalesce(bool_or(name = ${name}), false) as taken, count(*)::int as count from wake_word.model
    where tenant_id = ${tenant}`
  return row!
})
