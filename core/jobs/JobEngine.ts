/**
 * pg-boss as the job engine: one instance per process, whose statements join our transactions. Only core/jobs uses it.
 */
import { Effect } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import { type Db, PgBoss } from "pg-boss"
import { perProcess } from "../sql/ConnectionBudget.ts"
import type { Database } from "../sql/Database.ts"
import { toPgPool } from "../postgres/ConnectionTarget.ts"

/** Longest pause before a failed job is retried. Unit: seconds. */
export const retryPauseMax = 60

/** Age at which a claim expires even if its process lives. Unit: seconds. */
const claimExpiry = 15 * 60

/** Retention of completed jobs and their keys. Unit: seconds (7 days). */
const remembered = 7 * 24 * 3600

/** Jobs are retried without limit. */
const retryLimit = 2_000_000_000

/** A claimed job as the engine hands it out. */
export interface FetchedJob {
  readonly id: string
  readonly data: unknown
  /** Distinguishes this claim from other claims of the same job. */
  readonly retryCount: number
  /** Undefined or null: no group. */
  readonly groupId?: string | null | undefined
}

/** Which jobs a claim may take. */
export interface ClaimLimits {
  /** Maximum number of jobs of one group in work, in the fleet. Default: no limit. */
  readonly perGroup?: number | undefined
  readonly minPriority?: number | undefined
}

/** Calls of the engine; each joins the surrounding transaction. */
export interface JobEngine {
  readonly insert: (queue: string, rows: ReadonlyArray<JobRow>) => Effect.Effect<void, SqlError.SqlError>
  readonly fetch: (
    queue: string,
    batchSize: number,
    limits?: ClaimLimits
  ) => Effect.Effect<ReadonlyArray<FetchedJob>, SqlError.SqlError>
  /** Completes exactly these claims; returns how many of them were still ours. */
  readonly complete: (queue: string, jobs: ReadonlyArray<FetchedJob>) => Effect.Effect<number, SqlError.SqlError>
  /** Removes expired claims and old rows. */
  readonly upkeep: Effect.Effect<void, SqlError.SqlError>
}

/** A job to be inserted. */
export interface JobRow {
  readonly id?: string
  readonly data: object
  /** Earliest start, ISO 8601. Default: immediately. */
  readonly startAfter?: string
  readonly priority?: number
  readonly group?: { readonly id: string }
}

/** Starts the engine and creates the queues of this process. The scope stops it. */
export const make = Effect.fnUntraced(function* (database: Database["Service"], queues: ReadonlyArray<string>) {
  const sql = yield* SqlClient.SqlClient
  const boss = yield* start(database, queues)

  /** Runs pg-boss's statements on our connection, inside our transaction. */
  const joined = Effect.map(Effect.context<never>(), (context): Db => ({
    executeSql: (text, values) =>
      Effect.runPromiseWith(context)(sql.unsafe(text, (values ?? []).map(asParameter)).withoutTransform).then(
        (rows) => ({ rows: [...rows] })
      )
  }))
  const call = <A>(use: (db: Db) => Promise<A>): Effect.Effect<A, SqlError.SqlError> =>
    Effect.flatMap(joined, (db) =>
      Effect.tryPromise({ try: () => use(db), catch: (error) => error }).pipe(
        // Any other error is a defect in our use of the engine.
        Effect.catch((error) => (SqlError.isSqlError(error) ? Effect.fail(error) : Effect.die(error)))
      )
    )

  const engine: JobEngine = {
    insert: (queue, rows) => Effect.asVoid(call((db) => boss.insert(queue, firstOfEachId(rows), { db }))),
    fetch: (queue, batchSize, { minPriority, perGroup } = {}) =>
      call((db) =>
        boss.fetch<object>(queue, {
          batchSize,
          db,
          ...(perGroup === undefined ? {} : { groupConcurrency: perGroup }),
          ...(minPriority === undefined ? {} : { minPriority })
        })
      ),
    // Passes the job, not only its id: by id alone a stale claim would complete a newer one.
    complete: (queue, jobs) =>
      Effect.map(
        call((db) => boss.complete(queue, [...jobs], undefined, { db })),
        (done) => Number((done as { readonly affected?: unknown }).affected)
      ),
    upkeep: Effect.tryPromise({ try: () => boss.supervise(), catch: engineFailure("upkeep") })
  }
  return engine
})

/** Creates the queues that are missing. Queues that exist keep their settings. */
export const createQueues = async (boss: PgBoss, queues: ReadonlyArray<string>): Promise<void> => {
  // One query for all of them: each creation takes a lock in a transaction of its own, also of a queue that exists.
  const existing = new Set((await boss.getQueues([...queues])).map(({ name }) => name))
  for (const queue of queues) {
    if (existing.has(queue)) continue
    await boss.createQueue(queue, {
      // The insert announces jobs that are due at once.
      notify: true,
      retryLimit,
      retryDelay: 1,
      retryBackoff: true,
      retryDelayMax: retryPauseMax,
      expireInSeconds: claimExpiry,
      retentionSeconds: 90 * 24 * 3600,
      deleteAfterSeconds: remembered
    })
  }
}

const start = (database: Database["Service"], queues: ReadonlyArray<string>) =>
  Effect.acquireRelease(
    Effect.gen(function* () {
      const boss = new PgBoss({
        ...toPgPool(database.target),
        application_name: `${database.applicationName} jobs`,
        ...(database.role === undefined ? {} : { options: `-c role=${database.role}` }),
        max: perProcess.jobs,
        supervise: false,
        schedule: false,
        migrate: true
      })
      // Node ends a process on an `error` event without listener. Failed calls report their errors themselves.
      boss.on("error", () => {})
      yield* Effect.tryPromise({ try: () => boss.start(), catch: engineFailure("start") })
      yield* Effect.tryPromise({ try: () => createQueues(boss, queues), catch: engineFailure("start") })
      return boss
    }),
    (boss) => Effect.promise(() => boss.stop({ graceful: false, close: true }).catch(() => {}))
  )

/** Wraps an error of pg-boss's own database driver. */
const engineFailure = (operation: string) => (cause: unknown) =>
  new SqlError.SqlError({
    reason: new SqlError.UnknownError({ cause, message: `the job engine fails at ${operation}`, operation })
  })

/** The engine refuses a call with the same id twice. */
const firstOfEachId = <Row extends { readonly id?: string }>(rows: ReadonlyArray<Row>): Array<Row> => {
  const seen = new Set<string>()
  return rows.filter(({ id }) => id === undefined || (!seen.has(id) && seen.add(id)))
}

/** pg-boss passes plain objects and expects the driver to encode them as JSON. */
const asParameter = (value: unknown): unknown =>
  value !== null &&
  typeof value === "object" &&
  !Array.isArray(value) &&
  !(value instanceof Date) &&
  !(value instanceof Uint8Array)
    ? JSON.stringify(value)
    : value
