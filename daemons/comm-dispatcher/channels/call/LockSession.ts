/**
 * The Postgres session that holds the advisory locks of calls: the fleet's call lock, and the slots of calls without
 * it. CallLock decides. Locks end with the session.
 */
import { PgConnection } from "@effect/sql-pg"
import { Deferred, Duration, Effect, type Scope } from "effect"
import { SqlError } from "effect/sql"
import { Database, sessionParameters } from "#core/sql/Database.ts"
import { toSqlPg } from "#core/postgres/ConnectionTarget.ts"

/**
 * First keys of the advisory locks. The second key is 0 for the call lock, and a hash of gateway and number for a slot.
 */
const lockSpace = 7_416_003
const slotSpace = 7_416_004

/**
 * Time limit of a statement beyond its requested wait. Unit: seconds. Reason: a silently dead connection must not delay
 * calls.
 */
const patience = Duration.seconds(5)

export interface LockSession {
  /**
   * Waits up to `wait` milliseconds (at least 1) for the call lock. Returns whether it is held. A request while it is
   * held counts twice.
   */
  readonly lock: (wait: number) => Effect.Effect<boolean, SqlError.SqlError>
  readonly unlock: Effect.Effect<void, SqlError.SqlError>
  /** Takes a slot if it is free. */
  readonly trySlot: (name: string) => Effect.Effect<boolean, SqlError.SqlError>
  readonly releaseSlot: (name: string) => Effect.Effect<void, SqlError.SqlError>
  /** Fails when the session is gone. */
  readonly probe: Effect.Effect<void, SqlError.SqlError>
}

/** Opens the session; the scope closes it. */
export const open: Effect.Effect<LockSession, SqlError.SqlError, Database | Scope.Scope> = Effect.gen(function* () {
  const database = yield* Database
  const connection = yield* PgConnection.make({
    ...toSqlPg(database.target),
    applicationName: `${database.applicationName} calls`,
    connectTimeout: patience,
    startupParameters: sessionParameters(database)
  })
  const query = (text: string, parameters: ReadonlyArray<unknown>, wait = 0) =>
    bounded(connection.query(text, parameters), Duration.sum(patience, Duration.millis(wait)))
  const isTrue = (result: PgConnection.Result) => (result.rows[0] as { readonly held: boolean }).held
  return {
    lock: (wait) =>
      Effect.andThen(
        query("select set_config('lock_timeout', $1, false)", [String(Math.max(1, Math.round(wait)))]),
        query("select pg_advisory_lock($1, 0)", [lockSpace], wait)
      ).pipe(
        Effect.as(true),
        Effect.catchIf(isLockTimeout, () => Effect.succeed(false))
      ),
    unlock: Effect.asVoid(query("select pg_advisory_unlock($1, 0)", [lockSpace])),
    trySlot: (name) =>
      Effect.map(query("select pg_try_advisory_lock($1, hashtext($2)) as held", [slotSpace, name]), isTrue),
    releaseSlot: (name) => Effect.asVoid(query("select pg_advisory_unlock($1, hashtext($2))", [slotSpace, name])),
    probe: Effect.asVoid(query("select 1", []))
  }
})

/** SQLSTATE 55P03. */
const isLockTimeout = (error: SqlError.SqlError): boolean => error.reason._tag === "LockTimeoutError"

/**
 * Stops waiting for the answer without cancelling the statement, because a dead connection never confirms. The failure
 * closes the session and with it the statement.
 */
const bounded = Effect.fnUntraced(function* <A>(
  statement: Effect.Effect<A, SqlError.SqlError>,
  atMost: Duration.Duration
) {
  const answer = yield* Deferred.make<A, SqlError.SqlError>()
  yield* Effect.forkDetach(Deferred.into(statement, answer))
  return yield* Deferred.await(answer).pipe(
    Effect.timeoutOrElse({ duration: atMost, orElse: () => Effect.fail(silent) })
  )
})

const silent = new SqlError.SqlError({
  reason: new SqlError.ConnectionError({
    cause: new Error("no answer"),
    message: "the session of the call lock does not answer",
    operation: "query"
  })
})
