/** Silences as the endpoints and commands read and change them, in the surrounding transaction. */
import { Effect } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { providerTenant } from "#core/auth/Caller.ts"
import { InvalidRequest } from "#core/http/Problem.ts"
import { Wake } from "#core/events/Wake.ts"
import * as Audit from "#core/log/Audit.ts"
import { longestSilence, type NewSilence, type SilenceEdit, type SilenceView } from "./Api.ts"
import * as AlertStore from "./AlertStore.ts"
import { noSuchSilence, SilenceOver, TooManySilences } from "./Errors.ts"
import { covers } from "./Quiet.ts"
import { alertTopic } from "./RecordChange.ts"

type State = (typeof SilenceView.Type)["state"]

interface Row {
  readonly id: string
  readonly seq: number
  readonly key_pattern: string | null
  readonly group_pattern: string | null
  readonly reason: string
  readonly starts_at: Date
  readonly ends_at: Date
  readonly created_by: string
  readonly created_at: Date
}

const stateOf = ({ ends_at, starts_at }: Pick<Row, "starts_at" | "ends_at">, now: number): State =>
  ends_at.getTime() <= now ? "over" : starts_at.getTime() > now ? "planned" : "active"

const rows = (tail: Statement.Fragment) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql<Row>`select id, seq, key_pattern, group_pattern, reason, starts_at, ends_at, created_by, created_at
      from watchdog.silence ${tail}`
  )

/** Views of rows, with the number of open alerts that each names. */
const views = Effect.fnUntraced(function* (found: ReadonlyArray<Row>) {
  const open = (yield* AlertStore.unsettled).filter(({ closedAt }) => closedAt === null)
  const now = Date.now()
  return found.map((row): typeof SilenceView.Type => {
    const pattern = {
      id: row.id,
      keyPattern: row.key_pattern,
      groupPattern: row.group_pattern,
      startsAt: row.starts_at.getTime(),
      endsAt: row.ends_at.getTime()
    }
    return {
      ...row,
      state: stateOf(row, now),
      starts_at: row.starts_at.toISOString(),
      ends_at: row.ends_at.toISOString(),
      created_at: row.created_at.toISOString(),
      alerts: open.filter((alert) => covers(pattern, alert)).length
    }
  })
})

export const list = Effect.fnUntraced(function* (state: State | undefined, before: number | undefined, limit: number) {
  const sql = yield* SqlClient.SqlClient
  const inState =
    state === undefined
      ? sql`true`
      : state === "over"
        ? sql`ends_at <= now()`
        : state === "planned"
          ? sql`ends_at > now() and starts_at > now()`
          : sql`ends_at > now() and starts_at <= now()`
  const older = before === undefined ? sql`true` : sql`seq < ${before}`
  return yield* views(yield* rows(sql`where ${inState} and ${older} order by seq desc limit ${limit}`))
})

const get = Effect.fnUntraced(function* (id: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* rows(sql`where id = ${id} for update`)
  return row ?? (yield* noSuchSilence)
})

const view = (row: Row) => Effect.map(views([row]), ([one]) => one!)

export const show = (id: string) => Effect.flatMap(get(id), view)

const day = 86_400_000

/** The problem of a silence, by field. Pure. */
export const silenceProblem = (
  wanted: { readonly key: string | null; readonly group: string | null; readonly start: number; readonly end: number },
  now: number
): { readonly field: string; readonly message: string } | undefined => {
  const { end, group, key, start } = wanted
  if (key === null && group === null) return { field: "payload", message: "must have key_pattern or group_pattern" }
  if (end <= start) return { field: "payload.ends_at", message: "must be after starts_at" }
  if (end <= now) return { field: "payload.ends_at", message: "must lie in the future" }
  return end - Math.max(start, now) > longestSilence * day
    ? { field: "payload.ends_at", message: `must be at most ${longestSilence} days after the start` }
    : undefined
}

const check = (wanted: Parameters<typeof silenceProblem>[0]) =>
  Effect.suspend(() => {
    const problem = silenceProblem(wanted, Date.now())
    return problem === undefined ? Effect.void : Effect.fail(new InvalidRequest({ errors: [problem] }))
  })

const noted = Effect.fnUntraced(function* (by: string, id: string, change: string, detail: Record<string, unknown>) {
  yield* Audit.write({
    tenantId: providerTenant,
    actor: by,
    action: `alert_silence.${change}`,
    entity: "alert_silence",
    id,
    detail
  })
  yield* (yield* Wake).announce(alertTopic)
})

export const create = Effect.fnUntraced(function* (wanted: typeof NewSilence.Type, by: string) {
  const sql = yield* SqlClient.SqlClient
  const { ends_at, group_pattern = null, key_pattern = null, reason, starts_at } = wanted
  const start = starts_at === undefined ? new Date() : new Date(starts_at)
  const end = new Date(ends_at)
  yield* check({ key: key_pattern, group: group_pattern, start: start.getTime(), end: end.getTime() })
  const [count] = yield* sql<{ n: number }>`select count(*)::int as n from watchdog.silence where ends_at > now()`
  if (count!.n >= AlertStore.mostSilences) return yield* new TooManySilences({ detail: "End some of them first." })
  const [made] = yield* sql<{ id: string }>`insert into watchdog.silence (key_pattern, group_pattern, reason, starts_at,
      ends_at, created_by)
    values (${key_pattern}, ${group_pattern}, ${reason}, ${start}, ${end}, ${by}) returning id`
  yield* noted(by, made!.id, "created", { key_pattern, group_pattern, reason, ends_at: end.toISOString() })
  return yield* Effect.catchTag(show(made!.id), "NotFound", Effect.die)
})

/** A silence that is not over. */
const changeable = Effect.fnUntraced(function* (id: string) {
  const row = yield* get(id)
  return stateOf(row, Date.now()) === "over" ? yield* new SilenceOver({ detail: "Create a new one." }) : row
})

export const edit = Effect.fnUntraced(function* (id: string, to: typeof SilenceEdit.Type, by: string) {
  const sql = yield* SqlClient.SqlClient
  const before = yield* changeable(id)
  const key = to.key_pattern === undefined ? before.key_pattern : to.key_pattern
  const group = to.group_pattern === undefined ? before.group_pattern : to.group_pattern
  const reason = to.reason ?? before.reason
  const start = to.starts_at === undefined ? before.starts_at : new Date(to.starts_at)
  const end = to.ends_at === undefined ? before.ends_at : new Date(to.ends_at)
  yield* check({ key, group, start: start.getTime(), end: end.getTime() })
  yield* sql`update watchdog.silence set key_pattern = ${key}, group_pattern = ${group}, reason = ${reason},
    starts_at = ${start}, ends_at = ${end} where id = ${id}`
  yield* noted(by, id, "changed", { key_pattern: key, group_pattern: group, reason, ends_at: end.toISOString() })
  return yield* show(id)
})

/** Ends a silence now. */
export const end = Effect.fnUntraced(function* (id: string, by: string) {
  const sql = yield* SqlClient.SqlClient
  yield* changeable(id)
  yield* sql`update watchdog.silence set starts_at = least(starts_at, now()), ends_at = now() where id = ${id}`
  yield* noted(by, id, "ended", {})
})
