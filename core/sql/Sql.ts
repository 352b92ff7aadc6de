/**
 * The Postgres client: the pool for all statements of daemons, and the two kinds of transaction.
 *
 * `transaction` runs as the platform role and sees every tenant. `tenantTransaction` takes the role `signalbox_tenant`
 * and one tenant's id for the length of the transaction; row-level security hides other tenants' rows. No other I/O may
 * happen inside a transaction (IoGuard proves it in tests), because an open one holds back the event horizon of the
 * whole fleet.
 */
import { PgClient } from "@effect/sql-pg"
import { Cause, Context, Duration, Effect, Exit, Layer, Option, Schema, Semaphore } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import { perProcess } from "./ConnectionBudget.ts"
import { Database, sessionParameters } from "./Database.ts"
import { toSqlPg } from "../postgres/ConnectionTarget.ts"

export { SqlClient } from "effect/sql"
export type { SqlError } from "effect/sql"

/** Role of a tenant's statements; it has grants on tenant tables only. */
export const tenantRole = "signalbox_tenant"

/**
 * Maximum number of open transactions of jobs in one process. Reason: requests always find a connection, whatever the
 * number of jobs.
 */
const backgroundTransactions = perProcess.sql - 1

/** Set for work that no caller waits for, such as jobs. */
export const Background = Context.Reference<boolean>("signalbox/core/Sql/Background", { defaultValue: () => false })

/** Idle time after which Postgres ends a transaction. Unit: seconds. */
export const idleInTransactionTimeout = 5

/** Longest statement. Unit: seconds. Reason: twice the slowest sweep; a stuck statement must not block the pool. */
export const statementTimeout = 30

/** Postgres is away, or the statement violated the schema; `retryable` says whether waiting can help. */
export class StorageUnavailable extends Schema.TaggedError<StorageUnavailable>()("StorageUnavailable", {
  detail: Schema.String
}) {
  override get message() {
    return `the database does not answer: ${this.detail}`
  }
}

/** The pool, as `PgClient` and `SqlClient`; the build tests it with one statement. */
export const layer: Layer.Layer<PgClient.PgClient | SqlClient.SqlClient, SqlError.SqlError, Database> = Layer.unwrap(
  Effect.map(Database, (database) =>
    PgClient.layer({
      ...toSqlPg(database.target),
      applicationName: database.applicationName,
      maxConnections: perProcess.sql + perProcess.cluster,
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
 * When a connection breaks inside a transaction, its ROLLBACK fails too, and the client turns that into a defect. A
 * database restart would then count as a programming error. This restores the original failure.
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

/** Background transactions wait for each other, so they never fill the pool. */
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

/** Whether the database was away or overloaded, so that a retry can succeed. */
export const isAway = (error: unknown): boolean =>
  SqlError.isSqlError(error) &&
  (error.isRetryable || awayStates.has(String((error.reason.cause as { readonly code?: unknown } | undefined)?.code)))

/** Message of the deepest cause, which holds the words of the server or the operating system. */
export const innermost = (error: unknown): string => {
  const cause = deepest(error)
  const text = String(member(cause, "message") ?? cause)
  return text === "" ? String(member(cause, "code") ?? "unknown") : text.split("\n", 1)[0]!
}

/** SQLSTATE or system error code of the deepest cause; undefined: it has none. */
export const innermostCode = (error: unknown): string | undefined => {
  const code = member(deepest(error), "code")
  return typeof code === "string" ? code : undefined
}

const deepest = (error: unknown): unknown => {
  let current = error
  for (let depth = 0; depth < 8; depth++) {
    const next = member(current, "reason") ?? member(current, "cause")
    if (typeof next !== "object" || next === null) break
    current = next
  }
  return current
}

const member = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined

/** Runs `effect` in one short transaction as the platform role. Nested: a savepoint. */
export const transaction = <A, E, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E | SqlError.SqlError, R | SqlClient.SqlClient> =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql.withTransaction(effect))

/** Runs `effect` in the surrounding transaction, or in a new one. */
export const atomically = <A, E, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E | SqlError.SqlError, R | SqlClient.SqlClient> =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.flatMap(Effect.serviceOption(sql.transactionService), (surrounding) =>
      Option.isSome(surrounding) ? effect : sql.withTransaction(effect)
    )
  )

/** Whether the surrounding transaction has the tenant's role; known here to save a query. */
const ActsAsTenant = Context.Reference<boolean>("signalbox/core/Sql/ActsAsTenant", { defaultValue: () => false })

/** Runs `effect` in one short transaction that sees and changes only rows of `tenantId`. */
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
 * Runs `effect` as the platform role inside a tenant's transaction, then returns to the tenant's role. Only for tables
 * of the engines (jobs, events, idempotency), which tenants may not touch.
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
    // Also after a failure, because code that catches it continues as the tenant. A failed statement has already ended
    // the transaction (or its savepoint, and the role with it); then this statement is rejected, which is correct.
    return yield* Effect.onExit(Effect.provideService(effect, ActsAsTenant, false), (exit) =>
      Exit.isSuccess(exit) ? Effect.asVoid(back) : Effect.ignore(back)
    )
  })

/** Dies with `NotInTransaction` outside a transaction, because the caller's change would not be atomic. */
export const requireTransaction = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  if (Option.isNone(yield* Effect.serviceOption(sql.transactionService))) {
    return yield* Effect.die(new Error("called outside a transaction"))
  }
})
