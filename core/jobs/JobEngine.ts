/**
 * pg-boss as the job engine: started once a process, its statements joined to our transactions. Nothing of it shows
 * beyond core/Jobs and core/JobWorker.
 */
import { Effect } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import { type Db, PgBoss } from "pg-boss"
import type { Database } from "../sql/Database.ts"
import { toPgPool } from "../postgres/ConnectionTarget.ts"

/** Connections of pg-boss itself in one process: its start and its sweeps. Unit: connections. */
export const poolSize = 2

/** Longest pause before a failed job goes again. Unit: seconds. */
export const retryPauseMax = 60

/** A claim older than this is given to somebody else even if its process lives. Unit: seconds. */
const claimExpiry = 15 * 60

/** How long completed jobs are remembered, and with them their keys. Unit: seconds (7 days). */
const remembered = 7 * 24 * 3600

/** A job is retried for as long as it takes: what must not be lost never counts down to nothing. */
const retryLimit = 2_000_000_000

/** A claimed job as the engine hands it out. */
export interface FetchedJob {
  readonly id: string
  readonly data: unknown
  /** Tells this claim from an earlier or later one of the same job. */
  readonly retryCount: number
}

/** The engine's calls, each joining the surrounding transaction. */
export interface JobEngine {
  readonly insert: (queue: string, rows: ReadonlyArray<JobRow>) => Effect.Effect<void, SqlError.SqlError>
  readonly fetch: (queue: string, batchSize: number) => Effect.Effect<ReadonlyArray<FetchedJob>, SqlError.SqlError>
  /** Completes these very claims; answers how many of them were still ours. */
  readonly complete: (queue: string, jobs: ReadonlyArray<FetchedJob>) => Effect.Effect<number, SqlError.SqlError>
  /** Expired claims, old rows. */
  readonly upkeep: Effect.Effect<void, SqlError.SqlError>
}

/** A job to be inserted. */
export interface JobRow {
  readonly id?: string
  readonly data: object
  /** ISO 8601. */
  readonly startAfter?: string
  readonly priority?: number
}

/** Starts the engine, and makes the queues this process sends to or works on. The scope stops it. */
export const make = Effect.fnUntraced(function* (database: Database["Service"], queues: ReadonlyArray<string>) {
  const sql = yield* SqlClient.SqlClient
  const boss = yield* start(database, queues)

  /** pg-boss's statements on our connection, so that they belong to our transaction. */
  const joined = Effect.map(Effect.context<never>(), (context): Db => ({
    executeSql: (text, values) =>
      Effect.runPromiseWith(context)(sql.unsafe(text, (values ?? []).map(asParameter)).withoutTransform).then(
        (rows) => ({ rows: [...rows] })
      )
  }))
  const call = <A>(use: (db: Db) => Promise<A>): Effect.Effect<A, SqlError.SqlError> =>
    Effect.flatMap(joined, (db) =>
      Effect.tryPromise({ try: () => use(db), catch: (error) => error }).pipe(
        // What is not Postgres's answer is a mistake of ours in using the engine.
        Effect.catch((error) => (SqlError.isSqlError(error) ? Effect.fail(error) : Effect.die(error)))
      )
    )

  const engine: JobEngine = {
    insert: (queue, rows) => Effect.asVoid(call((db) => boss.insert(queue, firstOfEachId(rows), { db }))),
    fetch: (queue, batchSize) => call((db) => boss.fetch<object>(queue, { batchSize, db })),
    // The job, not its id: by id alone a stale claim would complete a newer one.
    complete: (queue, jobs) =>
      Effect.map(
        call((db) => boss.complete(queue, [...jobs], undefined, { db })),
        (done) => Number((done as { readonly affected?: unknown }).affected)
      ),
    upkeep: Effect.tryPromise({ try: () => boss.supervise(), catch: engineFailure("upkeep") })
  }
  return engine
})

const start = (database: Database["Service"], queues: ReadonlyArray<string>) =>
  Effect.acquireRelease(
    Effect.gen(function* () {
      const boss = new PgBoss({
        ...toPgPool(database.target),
        application_name: `${database.applicationName} jobs`,
        ...(database.role === undefined ? {} : { options: `-c role=${database.role}` }),
        max: poolSize,
        supervise: false,
        schedule: false,
        migrate: true
      })
      // Without a listener Node would end the process; the calls that failed report by themselves.
      boss.on("error", () => {})
      yield* Effect.tryPromise({ try: () => boss.start(), catch: engineFailure("start") })
      for (const queue of queues) {
        yield* Effect.tryPromise({
          try: () =>
            boss.createQueue(queue, {
              // The insert itself announces what is due at once.
              notify: true,
              retryLimit,
              retryDelay: 1,
              retryBackoff: true,
              retryDelayMax: retryPauseMax,
              expireInSeconds: claimExpiry,
              retentionSeconds: 90 * 24 * 3600,
              deleteAfterSeconds: remembered
            }),
          catch: engineFailure("start")
        })
      }
      return boss
    }),
    (boss) => Effect.promise(() => boss.stop({ graceful: false, close: true }).catch(() => {}))
  )

/** What the engine does by itself goes through a driver of its own. */
const engineFailure = (operation: string) => (cause: unknown) =>
  new SqlError.SqlError({
    reason: new SqlError.UnknownError({ cause, message: `the job engine fails at ${operation}`, operation })
  })

/** The engine refuses a call that names one id twice. */
const firstOfEachId = <Row extends { readonly id?: string }>(rows: ReadonlyArray<Row>): Array<Row> => {
  const seen = new Set<string>()
  return rows.filter(({ id }) => id === undefined || (!seen.has(id) && seen.add(id)))
}

/** pg-boss hands plain objects where it expects the driver to make JSON of them. */
const asParameter = (value: unknown): unknown =>
  value !== null &&
  typeof value === "object" &&
  !Array.isArray(value) &&
  !(value instanceof Date) &&
  !(value instanceof Uint8Array)
    ? JSON.stringify(value)
    : value
