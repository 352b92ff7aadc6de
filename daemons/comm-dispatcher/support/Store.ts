/** Statements of support sessions. Functions run in the surrounding transaction with its role. */
import { Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as StoredLog from "#core/limits/StoredLog.ts"
import { SupportLimitReached } from "./Errors.ts"
import { newCode } from "./SessionCode.ts"

/** Lifetime of a code. Reason: covers the wait in a telephone queue. */
export const lifetime = Duration.hours(1)

/** How long an ended session is kept. Unit: days. Reason: support looks back over a week. */
export const keptDays = 7

/** Sessions of one user within an hour. Reason: more than lost codes explain; each request notifies the admins. */
export const maxPerUser = 5

/** Sessions of one tenant within an hour. Reason: more than an outage of a large tenant causes. */
export const maxPerTenant = 100

const policy = (key: "user_id" | "tenant_id", limit: number): StoredLog.LogPolicy => ({
  name: `comm_dispatcher.support_session ${key}`,
  table: "comm_dispatcher.support_session",
  key,
  at: "created_at",
  limit,
  unit: "support sessions",
  window: Duration.hours(1)
})

const ofUser = policy("user_id", maxPerUser)
const ofTenant = policy("tenant_id", maxPerTenant)

/** Attempts to find an unused code. Reason: with ten thousand kept codes three collisions occur once in 10^12. */
const codeTries = 3

export interface Session {
  readonly id: number
  readonly tenant_id: number
  readonly user_id: number
  readonly user_name: string | null
  readonly user_email: string | null
  readonly code: string
  readonly channel: "web" | "phone" | "messenger"
  readonly message: string | null
  readonly state: "open" | "expired" | "closed"
  readonly created_at: Date
  readonly expires_at: Date
  readonly closed_at: Date | null
  readonly closed_by: string | null
}

const columns = `s.id, s.tenant_id, s.user_id, m.name as user_name, m.email as user_email, s.code, s.channel, s.message,
  case when s.closed_at is not null then 'closed' when s.expires_at <= now() then 'expired' else 'open' end as state,
  s.created_at, s.expires_at, s.closed_at, s.closed_by`

const from = `comm_dispatcher.support_session s
  left join comm_dispatcher.member m on m.user_id = s.user_id and m.state <> 'deleted'`

const select = (sql: SqlClient.SqlClient) => sql.literal(`select ${columns} from ${from}`)

const isOpen = (sql: SqlClient.SqlClient) => sql.literal("s.closed_at is null and s.expires_at > now()")

export interface NewSession {
  readonly tenantId: number
  readonly userId: number
  readonly channel: Session["channel"]
  readonly message: string | null
}

/** Creates a session. It replaces the user's open one, so that a user has one valid code. */
export const create = Effect.fnUntraced(function* ({ channel, message, tenantId, userId }: NewSession) {
  const sql = yield* SqlClient.SqlClient
  for (const [limit, key] of [
    [ofTenant, tenantId],
    [ofUser, userId]
  ] as const) {
    yield* StoredLog.lock(limit, [key])
    const retry_after = yield* StoredLog.wait(limit, [key])
    if (retry_after > 0)
      return yield* new SupportLimitReached({ retry_after, detail: `Try again in ${retry_after} s.` })
  }
  yield* closeOwn(userId, "replaced")
  for (let attempt = 1; attempt <= codeTries; attempt++) {
    const [row] = yield* sql<{ id: number }>`insert into comm_dispatcher.support_session
      (tenant_id, user_id, code, channel, message, expires_at)
      values (${tenantId}, ${userId}, ${newCode()}, ${channel}, ${message},
        now() + make_interval(secs => ${Duration.toSeconds(lifetime)}))
      on conflict (code) do nothing returning id`
    if (row === undefined) continue
    const [session] = yield* sql<Session>`${select(sql)} where s.id = ${row.id}`
    return session!
  }
  return yield* Effect.die(new Error(`no unused support code in ${codeTries} attempts`))
})

/** The user's open session. */
export const own = (userId: number) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(sql<Session>`${select(sql)} where s.user_id = ${userId} and ${isOpen(sql)}`, ([session]) => session)
  )

/** Ends the user's open session; returns its id and tenant. */
export const closeOwn = (userId: number, by: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql<{ id: number; tenant_id: number }>`update comm_dispatcher.support_session s
        set closed_at = now(), closed_by = ${by} where s.user_id = ${userId} and ${isOpen(sql)}
        returning s.id, s.tenant_id`,
      ([closed]) => closed
    )
  )

export interface Filter {
  readonly limit: number
  readonly before?: number | undefined
  /** Only open sessions. */
  readonly open: boolean
}

/** Sessions in scope, newest first. */
export const list = ({ before, limit, open }: Filter) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql<Session>`${select(sql)} where ${open ? isOpen(sql) : sql`true`}
      and (${before ?? null}::int is null or s.id < ${before ?? null}) order by s.id desc limit ${limit}`
  )

/** The session with this code, in any state. */
export const byCode = (code: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(sql<Session>`${select(sql)} where s.code = ${code}`, ([session]) => session)
  )

/** Ends an open session. `closed`: false when it had ended before. Undefined: no session has the code. */
export const close = Effect.fnUntraced(function* (code: string, by: string) {
  const sql = yield* SqlClient.SqlClient
  const ended = yield* sql`update comm_dispatcher.support_session s set closed_at = now(), closed_by = ${by}
    where s.code = ${code} and ${isOpen(sql)} returning 1`
  const session = yield* byCode(code)
  return session === undefined ? undefined : { session, closed: ended.length > 0 }
})

/** Deletes sessions that ended more than `keptDays` ago, and those of deleted users; returns how many. */
export const prune = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const gone = yield* sql`delete from comm_dispatcher.support_session s
    where least(s.closed_at, s.expires_at) < now() - make_interval(days => ${keptDays})
      or exists (select 1 from comm_dispatcher.member m where m.user_id = s.user_id and m.state = 'deleted')
    returning 1`
  return gone.length
})
