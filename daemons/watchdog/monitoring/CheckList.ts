/** Lists of checks, and the history of one. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { NotFound } from "#core/http/Problem.ts"
import type { Kind, Origin, Status } from "./CheckKinds.ts"
import type { CheckRow } from "./CheckRow.ts"
import * as CheckStore from "./CheckStore.ts"

export interface CheckFilter {
  readonly kind?: Kind | undefined
  readonly status?: Status | undefined
  readonly origin?: Origin | undefined
  readonly host?: string | undefined
  readonly alerting?: boolean | undefined
  readonly q?: string | undefined
}

/** Newest first: at most `limit` checks with ids below `before`. */
export const list = Effect.fnUntraced(function* (filter: CheckFilter, before: number | undefined, limit: number) {
  const sql = yield* SqlClient.SqlClient
  const { alerting, host, kind, origin, q, status } = filter
  return yield* sql<CheckRow>`select ${yield* CheckStore.columns} from watchdog.monitoring_check
    where ${sql.and([
      sql`gone_at is null`,
      ...(before === undefined ? [] : [sql`id < ${before}`]),
      ...(kind === undefined ? [] : [sql`kind = ${kind}`]),
      ...(status === undefined ? [] : [sql`status = ${status}`]),
      ...(origin === undefined ? [] : [sql`origin = ${origin}`]),
      ...(host === undefined ? [] : [sql`host = ${host}`]),
      ...(alerting === undefined ? [] : [sql`alerting = ${alerting}`]),
      ...(q === undefined || q === "" ? [] : [sql`strpos(lower(key), lower(${q})) > 0`])
    ])} order by id desc limit ${limit}`
})

export const show = Effect.fnUntraced(function* (id: number) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<CheckRow>`select ${yield* CheckStore.columns} from watchdog.monitoring_check
    where id = ${id} and gone_at is null`
  return row ?? (yield* new NotFound({}))
})

/** The check with this id or key. */
export const named = Effect.fnUntraced(function* (which: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<CheckRow>`select ${yield* CheckStore.columns} from watchdog.monitoring_check
    where gone_at is null and (id::text = ${which} or key = ${which} or key = 'check ' || ${which}::text)
    order by (id::text = ${which}) desc limit 1`
  return row
})

/**
 * Maximum number of points of a history. Reason: a check every ten seconds makes 17,000 in two days; charts show fewer.
 */
const maxPoints = 3_000

interface Point {
  readonly at: Date
  readonly status: Status
  readonly value: number | null
  readonly min: number | null
  readonly max: number | null
}

/** Results of the last `hours`, oldest first: one by one for as long as these are kept, else by hour. */
export const history = Effect.fnUntraced(function* (id: number, hours: number) {
  const sql = yield* SqlClient.SqlClient
  const isShort = hours <= CheckStore.samplesKept
  const points = isShort
    ? yield* sql<Point>`select at, status, value, value as min, value as max from watchdog.monitoring_sample
        where check_id = ${id} and at > now() - make_interval(hours => ${hours}) order by at desc limit ${maxPoints}`
    : yield* sql<Point>`
        select hour as at, (array['ok', 'unknown', 'warning', 'critical'])[severity + 1] as status,
            case when measured > 0 then total / measured end as value, least as min, most as max
          from watchdog.monitoring_hour
          where check_id = ${id} and hour > now() - make_interval(hours => ${hours})
          order by hour desc limit ${maxPoints}`
  return {
    resolution_s: isShort ? 0 : 3_600,
    history: points.toReversed().map((point) => ({ ...point, at: point.at.toISOString() }))
  }
})
