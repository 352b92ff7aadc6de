/**
 * Statements on the tables of the job engine, which are not its public interface. Only this module names them; `check`
 * finds at the start whether an engine of another version has changed them. Each statement runs in the surrounding
 * transaction.
 */
import { Effect } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import type { FetchedJob } from "./JobEngine.ts"

/** Columns of pgboss.job that the statements use. Source: pg-boss 12.35.0, plans.js. */
const columns = ["created_on", "data", "id", "name", "retry_count", "start_after", "state"]

/** States in the order of the enumeration: a job before `active` is waiting. Source: pg-boss 12.35.0, plans.js. */
const states = ["created", "retry", "active", "completed", "cancelled", "failed"]

/** Fails when the tables differ from what this module expects. */
export const check: Effect.Effect<void, SqlError.SqlError, SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const found = yield* sql<{ name: string }>`select attname::text as name from pg_attribute
    where attrelid = 'pgboss.job'::regclass and attname = any(${columns}::name[]) and not attisdropped order by 1`
  const labels = yield* sql<{ name: string }>`select e.enumlabel::text as name from pg_enum e
    join pg_attribute a on a.atttypid = e.enumtypid
    where a.attrelid = 'pgboss.job'::regclass and a.attname = 'state' order by e.enumsortorder`
  const missing = columns.filter((column) => !found.some(({ name }) => name === column))
  const problem =
    missing.length > 0
      ? `pgboss.job lacks ${missing.join(", ")}`
      : labels.map(({ name }) => name).join() === states.join()
        ? undefined
        : `the states of pgboss.job are ${labels.map(({ name }) => name).join(", ")}`
  if (problem === undefined) return
  yield* new SqlError.SqlError({
    reason: new SqlError.UnknownError({
      cause: problem,
      message: `the tables of the job engine are not those of this program: ${problem}`,
      operation: "check"
    })
  })
})

/** Milliseconds until the next job of each queue is due. Queues without a waiting job are missing. */
export const nextDue = (
  sql: SqlClient.SqlClient,
  queues: ReadonlyArray<string>
): Effect.Effect<ReadonlyMap<string, number>, SqlError.SqlError> =>
  Effect.map(
    sql<{ queue: string; wait: number }>`
      select name as queue, extract(epoch from min(start_after) - now())::float8 * 1000 as wait
        from pgboss.job where name = any(${queues}::text[]) and state < 'active' group by name`,
    (rows) => new Map(rows.map(({ queue, wait }) => [queue, wait]))
  )

/** Waiting jobs of a queue. `oldest`: how long the job that is due longest has waited, in seconds; 0 without one. */
export interface Depth {
  readonly queue: string
  readonly due: number
  readonly later: number
  readonly oldest: number
}

/** Depths of queues; a queue without waiting jobs is missing. */
export const depths = (sql: SqlClient.SqlClient, queues: ReadonlyArray<string>) =>
  sql<Depth>`select name as queue, count(*) filter (where start_after <= now())::float8 as due,
      count(*) filter (where start_after > now())::float8 as later,
      coalesce(extract(epoch from now() - min(start_after) filter (where start_after <= now())), 0)::float8 as oldest
    from pgboss.job where name = any(${queues}::text[]) and state < 'active' group by name`

/** Returns a claimed job to its queue; whether the claim was still ours. `pause`: seconds until it may start again. */
export const giveBack = (sql: SqlClient.SqlClient, queue: string, job: FetchedJob, pause: number) =>
  Effect.map(
    sql`update pgboss.job set state = 'retry', start_after = now() + make_interval(secs => ${pause})
      where name = ${queue} and id = ${job.id} and state = 'active' and retry_count = ${job.retryCount} returning 1`,
    (rows) => rows.length > 0
  )

/** Releases claims of this incarnation that no handler has. `inHand`: the ids that handlers have. */
export const dropStrays = (
  sql: SqlClient.SqlClient,
  incarnation: number,
  queue: string,
  inHand: ReadonlyArray<string>
) => sql`with strays as (delete from core.job_claim
      where incarnation = ${incarnation} and queue = ${queue} and job_id <> all(${inHand}::uuid[]) returning job_id)
    update pgboss.job j set state = 'retry', start_after = now() from strays
     where j.name = ${queue} and j.id = strays.job_id and j.state = 'active'`

/** Releases the claims of a dead process; returns the queue of each released job. */
export const releaseOf = (sql: SqlClient.SqlClient, incarnation: number) =>
  sql<{ queue: string }>`with gone as (delete from core.job_claim where incarnation = ${incarnation}
      returning job_id, queue)
    update pgboss.job j set state = 'retry', start_after = now() from gone
     where j.name = gone.queue and j.id = gone.job_id and j.state = 'active' returning gone.queue as queue`

/**
 * Removes rows of ended claims. Completing a claim leaves its row, which keeps the hot path cheap. Only old rows: to a
 * statement that started earlier, a row that is just being claimed again looks ended.
 */
export const removeEndedClaims = (sql: SqlClient.SqlClient) =>
  sql`delete from core.job_claim c where c.claimed_at < now() - interval '1 minute'
    and not exists (select 1 from pgboss.job j where j.name = c.queue and j.id = c.job_id and j.state = 'active')`

/**
 * Whether a new job with exactly these values of its data waits, and locks it against a start until the transaction
 * ends. A value is compared as text; null: the field is missing or null.
 */
export const holdWaiting = (
  queue: string,
  data: Readonly<Record<string, string | null>>
): Effect.Effect<boolean, SqlError.SqlError, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const conditions = Object.entries(data).map(
      ([field, value]) => sql`data ->> ${field}::text is not distinct from ${value}::text`
    )
    const found = yield* sql`select 1 from pgboss.job
      where name = ${queue} and state = 'created' and ${sql.and(conditions)} limit 1 for share skip locked`
    return found.length > 0
  })

/** Age of a job in any state. Unit: seconds; undefined when it is unknown. `id`: see `keyedId`. */
export const ageOf = (
  queue: string,
  id: string
): Effect.Effect<number | undefined, SqlError.SqlError, SqlClient.SqlClient> =>
  Effect.map(
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql<{ age: number }>`select extract(epoch from now() - created_on)::float8 as age from pgboss.job
        where name = ${queue} and id = ${id}::uuid`
    ),
    ([job]) => job?.age
  )
