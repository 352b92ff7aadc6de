/**
 * Our Postgres client: the pool every daemon's statements run on, and the two kinds of transaction there are.
 *
 * `transaction` runs as the platform role and sees every tenant. `tenantTransaction` takes the role `signalbox_tenant`
 * and one tenant's number for as long as the transaction lasts; row-level security hides the rest. Inside either no
 * other I/O may happen (IoGuard proves it in tests): a transaction is as short as its statements, because an open one
 * holds back the event horizon of the whole fleet.
 */
import { PgClient } from "@effect/sql-pg"
import { Cause, Context, Duration, Effect, Exit, Layer, Option, Schema, Semaphore } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import { Database, sessionParameters } from "./Database.ts"
import { toSqlPg } from "../postgres/ConnectionTarget.ts"

export { SqlClient } from "effect/sql"
export type { SqlError } from "effect/sql"

/** The role a tenant's statements run as; holds grants on tenant tables only. */
export const tenantRole = "signalbox_tenant"

/** Connections of one process for statements. Unit: connections. See ConnectionBudget for the whole. */
export const poolSize = 3

/** Connections the cluster's runner takes out of the pool for good, for its advisory locks. Unit: connections. */
export const clusterConnections = 1

/**
 * Transactions of jobs that may be open at once in one process. Unit: transactions. Reason: whoever waits for an answer
 * finds a connection, however many jobs there are.
 */
const backgroundTransactions = poolSize - 1

/** Set where nobody waits for an answer: the work on jobs. */
export const Background = Context.Reference<boolean>("signalbox/core/Sql/Background", { defaultValue: () => false })

/** How long a transaction may sit idle before Postgres ends it. Unit: seconds. */
export const idleInTransactionTimeout = 5

/**
 * How long one statement may take. Unit: seconds. Reason: twice the slowest sweep; a stuck one must not hold a pool.
 */
export const statementTimeout = 30

/** Postgres is away, or this statement broke a rule of the schema; `retryable` says whether waiting can help. */
export class StorageUnavailable extends Schema.TaggedError<StorageUnavailable>()("StorageUnavailable", {
  detail: Schema.String
}) {
  override get message() {
    return `the database does not answer: ${this.detail}`
  }
}

/** The pool, as `PgClient` and `SqlClient`; the build proves it with one statement. */
export const layer: Layer.Layer<PgClient.PgClient | SqlClient.SqlClient, SqlError.SqlError, Database> = Layer.unwrap(
  Effect.map(Database, (database) =>
    PgClient.layer({
      ...toSqlPg(database.target),
      applicationName: database.applicationName,
      maxConnections: poolSize + clusterConnections,
      minConnections: 1,
      idleTimeout: Duration.minutes(10),
      connectTimeout: Duration.seconds(5),
      startupParameters: {
        ...sessionParameters(database),
        idle_in_transaction_session_timeout: `${idleInTransactionTimeout}s`,
        statement_timeout: `${statementTimeout}s`
      }
    }).pipe(
      Layer.tap((context) => Context.get(context, SqlClient.SqlClient)`select 1`),
      Layer.tap((context) => Effect.sync(() => keepFailuresTyped(Context.get(context, PgClient.PgClient)))),
      Layer.tap((context) => Effect.sync(() => boundBackground(Context.get(context, PgClient.PgClient))))
    )
  )
)

/**
 * When the connection breaks inside a transaction, its ROLLBACK fails too, and the client makes a defect of that: a
 * database restart would count as a mistake of the program. Here it is the failure again that it was.
 */
const keepFailuresTyped = (client: PgClient.PgClient): void => {
  const { withTransaction } = client
  const typed: SqlClient.SqlClient["withTransaction"] = (effect) =>
    Effect.catchCause(withTransaction(effect), (cause) => {
      const defects = cause.reasons.filter(Cause.isDieReason).map((reason) => reason.defect)
      const lost = defects.find(SqlError.isSqlError)
      return lost !== undefined && defects.every(SqlError.isSqlError) ? Effect.fail(lost) : Effect.failCause(cause)
    })
  Object.assign(client, { withTransaction: typed })
}

/** Transactions of the background wait among themselves, so that they never fill the pool. */
const boundBackground = (client: PgClient.PgClient): void => {
  const { transactionService, withTransaction } = client
  const places = Semaphore.makeUnsafe(backgroundTransactions)
  const bounded: SqlClient.SqlClient["withTransaction"] = (effect) =>
    Effect.flatMap(Effect.all([Background, Effect.serviceOption(transactionService)]), ([background, surrounding]) =>
      background && Option.isNone(surrounding) ? places.withPermit(withTransaction(effect)) : withTransaction(effect)
    )
  Object.assign(client, { withTransaction: bounded })
}

/**
 * SQLSTATEs of a server that stops, crashed, starts, is full or ended an idle session. Source: Postgres manual,
 * appendix A.
 */
const awayStates = new Set(["57P01", "57P02", "57P03", "57P05", "53300", "25P03"])

/** Whether the database was away (or busy with others), so that the same statement can succeed after a wait. */
export const isAway = (error: unknown): boolean =>
  SqlError.isSqlError(error) &&
  (error.isRetryable || awayStates.has(String((error.reason.cause as { readonly code?: unknown } | undefined)?.code)))

/** Runs `effect` in one short transaction as the platform role. Nested: a savepoint. */
export const transaction = <A, E, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E | SqlError.SqlError, R | SqlClient.SqlClient> =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql.withTransaction(effect))

/** Runs `effect` in the surrounding transaction; where there is none, in one of its own. */
export const atomically = <A, E, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E | SqlError.SqlError, R | SqlClient.SqlClient> =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.flatMap(Effect.serviceOption(sql.transactionService), (surrounding) =>
      Option.isSome(surrounding) ? effect : sql.withTransaction(effect)
    )
  )

/** Whether the surrounding transaction has taken the tenant's role: known here, so that Postgres need not be asked. */
const ActsAsTenant = Context.Reference<boolean>("signalbox/core/Sql/ActsAsTenant", { defaultValue: () => false })

/** Runs `effect` in one short transaction that sees and changes only `tenantId`'s rows. */
export const tenantTransaction = <A, E, R>(
  tenantId: number,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E | SqlError.SqlError, R | SqlClient.SqlClient> =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    sql.withTransaction(
      Effect.andThen(
        sql`select set_config('app.tenant', ${String(tenantId)}, true), set_config('role', ${tenantRole}, true)`,
        Effect.provideService(effect, ActsAsTenant, true)
      )
    )
  )

/**
 * Runs `effect` as the platform role inside a tenant's transaction, then returns to the tenant. For the engine's own
 * tables (jobs, events, idempotency), which no tenant may touch; never for a daemon's rows.
 */
export const asPlatform = <A, E, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E | SqlError.SqlError, R | SqlClient.SqlClient | Database> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    if (Option.isNone(yield* Effect.serviceOption(sql.transactionService))) return yield* effect
    if (!(yield* ActsAsTenant)) return yield* effect
    const { role } = yield* Database
    yield* sql`select set_config('role', ${role ?? "none"}, true)`
    const back = sql`select set_config('role', ${tenantRole}, true)`
    // Also when `effect` fails: whoever catches that goes on as the tenant. A statement that failed has already ended
    // the transaction (or its savepoint, and the role with it), and then this one is refused, which is right.
    return yield* Effect.onExit(Effect.provideService(effect, ActsAsTenant, false), (exit) =>
      Exit.isSuccess(exit) ? Effect.asVoid(back) : Effect.ignore(back)
    )
  })

/** Fails with `NotInTransaction` as a defect when called outside a transaction: the caller's change would be torn. */
export const requireTransaction = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  if (Option.isNone(yield* Effect.serviceOption(sql.transactionService))) {
    return yield* Effect.die(new Error("called outside a transaction"))
  }
})
