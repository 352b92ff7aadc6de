/** Rebuilds and their progress. Functions run in the surrounding transaction, as the platform role. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { providerTenant } from "#core/auth/Caller.ts"
import { LocalizationRebuildProgress } from "#core/contracts/Localization.ts"
import { Events } from "#core/events/Events.ts"
import { NotFound } from "#core/http/Problem.ts"
import { Jobs } from "#core/jobs/Jobs.ts"
import * as Audit from "#core/log/Audit.ts"
import { Languages, sourceLocale } from "../texts/Exports.ts"
import { RebuildActive } from "./Errors.ts"
import { RebuildWanted } from "./RebuildJob.ts"
import type { RebuildProblem } from "./RebuildProblem.ts"

/** How long an ended rebuild is kept. Unit: days. */
const keptDays = 90

export interface Rebuild {
  readonly id: string
  readonly seq: number
  /** Null: all languages. */
  readonly locale: string | null
  readonly state: "waiting" | "running" | "done" | "failed" | "cancelled"
  readonly total: number
  readonly translated: number
  readonly kept: number
  readonly uncertain: number
  readonly problem: string | null
  readonly problem_code: RebuildProblem["code"] | null
  readonly problem_detail: string | null
  readonly requested_by: string
  readonly created_at: Date
  readonly finished_at: Date | null
}

/** Columns of a rebuild. */
export const fields = (sql: SqlClient.SqlClient) =>
  sql`id, seq, locale, state, total, translated, kept, uncertain, problem, problem_code, problem_detail, requested_by,
    created_at, finished_at`

/** The rebuild as the API shows it. */
export const view = ({
  created_at,
  finished_at,
  id,
  kept,
  locale,
  problem,
  problem_code,
  problem_detail,
  requested_by,
  state,
  total,
  translated,
  uncertain
}: Rebuild) => ({
  id,
  locale,
  state,
  total,
  translated,
  kept,
  uncertain,
  problem,
  problem_code,
  problem_detail,
  requested_by,
  created_at: created_at.toISOString(),
  finished_at: finished_at?.toISOString() ?? null
})

export const get = Effect.fnUntraced(function* (id: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<Rebuild>`select ${fields(sql)} from localization.rebuild where id = ${id}`
  return row ?? (yield* new NotFound({ detail: "The rebuild does not exist." }))
})

/** Rebuilds before `before`, newest first. */
export const list = (before: number | undefined, limit: number) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql<Rebuild>`select ${fields(sql)} from localization.rebuild
      where ${before === undefined ? sql`true` : sql`seq < ${before}`} order by seq desc limit ${limit}`
  )

/** Queues a rebuild of one language, or of all: the texts that no person wrote and that lack a fresh translation. */
export const start = Effect.fnUntraced(function* (locale: string | null, by: Languages.Author) {
  const sql = yield* SqlClient.SqlClient
  if (locale !== null) yield* Languages.get(locale)
  yield* sql`delete from localization.rebuild where finished_at < now() - make_interval(days => ${keptDays})`
  const [made] = yield* sql<Rebuild>`insert into localization.rebuild (locale, requested_by) values (${locale},
    ${by.actor}) on conflict ((true)) where state in ('waiting', 'running') do nothing returning ${fields(sql)}`
  if (made === undefined) return yield* new RebuildActive({ detail: "Wait for its end, or cancel it." })
  yield* sql`insert into localization.rebuild_text (rebuild_id, locale, source_hash, source)
    select ${made.id}::uuid, l.code, s.source_hash, min(s.value)
    from localization.language l cross join localization.source_text s
    left join localization.translation t on t.locale = l.code and t.key = s.key
    where l.removed_at is null and l.code <> ${sourceLocale} and (${locale}::text is null or l.code = ${locale})
      and s.value is not null and t.override is null and t.shipped is null
      and t.automatic_hash is distinct from s.source_hash
    group by l.code, s.source_hash`
  const [row] = yield* sql<Rebuild>`update localization.rebuild r set total =
      (select count(*)::int from localization.rebuild_text where rebuild_id = r.id)
    where id = ${made.id} returning ${fields(sql)}`
  const jobs = yield* Jobs
  yield* jobs.send(RebuildWanted, [{ data: { rebuild_id: made.id } }])
  yield* Audit.write({
    tenantId: providerTenant,
    actor: by.actor,
    address: by.address,
    action: "translation_rebuild.started",
    entity: "translation_rebuild",
    id: made.id,
    detail: { locale, texts: row!.total }
  })
  return row!
})

/**
 * Marks the rebuild as running; undefined when it has ended or is missing. Texts that an earlier process asked for
 * without recording an answer are uncertain from now on.
 */
export const begin = Effect.fnUntraced(function* (id: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<Rebuild>`update localization.rebuild set state = 'running'
    where id = ${id} and state in ('waiting', 'running') returning ${fields(sql)}`
  if (row === undefined) return undefined
  const lost = yield* sql`update localization.rebuild_text set state = 'uncertain',
      reason = 'the process ended before the answer came' where rebuild_id = ${id} and state = 'asked' returning 1`
  if (lost.length === 0) return row
  const [counted] = yield* sql<Rebuild>`update localization.rebuild set uncertain = uncertain + ${lost.length}
    where id = ${id} returning ${fields(sql)}`
  return counted!
})

const columns = (sql: SqlClient.SqlClient, problem: RebuildProblem | null) =>
  sql`problem = ${problem?.text ?? null}, problem_code = ${problem?.code ?? null},
    problem_detail = ${problem?.detail ?? null}`

/** Stores why the rebuild makes no progress. */
export const note = (id: string, problem: RebuildProblem) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`update localization.rebuild set ${columns(sql, problem)} where id = ${id} and state = 'running'
      and problem is distinct from ${problem.text}`
  )

/** Ends the rebuild. `problem`: why it failed; null: it is done. */
export const finish = Effect.fnUntraced(function* (id: string, problem: RebuildProblem | null) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<Rebuild>`update localization.rebuild
    set state = ${problem === null ? "done" : "failed"}, ${columns(sql, problem)}, finished_at = now()
    where id = ${id} and state = 'running' returning ${fields(sql)}`
  if (row === undefined) return
  yield* ended(row)
})

/** Cancels a rebuild that waits or runs. Texts that are being translated are still stored. */
export const cancel = Effect.fnUntraced(function* (id: string, by: Languages.Author) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<Rebuild>`update localization.rebuild set state = 'cancelled', finished_at = now()
    where id = ${id} and state in ('waiting', 'running') returning ${fields(sql)}`
  if (row === undefined) return yield* get(id)
  yield* ended({ ...row, requested_by: by.actor })
  return row
})

const ended = Effect.fnUntraced(function* (row: Rebuild) {
  yield* tell(row)
  yield* Audit.write({
    tenantId: providerTenant,
    actor: row.requested_by,
    action: `translation_rebuild.${row.state}`,
    entity: "translation_rebuild",
    id: row.id,
    detail: { translated: row.translated, kept: row.kept, uncertain: row.uncertain }
  })
})

/** Announces the progress to the console. */
export const tell = ({ id, kept, locale, problem, state, total, translated, uncertain }: Rebuild) =>
  Effect.flatMap(Events, ({ emit }) =>
    emit(
      LocalizationRebuildProgress,
      "localization",
      { rebuild_id: id, locale, state, total, translated, kept, uncertain, problem },
      { tenantId: providerTenant }
    )
  )
