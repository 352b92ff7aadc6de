/** Owners of the call lock for tests. Each simulates a process, with its own session and actor. */
import { Context, Duration, Effect, Exit, Layer, References, Scope } from "effect"
import * as Database from "#core/sql/Database.ts"
import type { ConnectionTarget } from "#core/postgres/ConnectionTarget.ts"
import { layerLocal, Supervisor } from "#core/supervision/Supervisor.ts"
import * as CallLock from "#daemons/comm-dispatcher/channels/call/CallLock.ts"
import type { Turn } from "#daemons/comm-dispatcher/channels/call/CallTurns.ts"
import type { Severity } from "#daemons/comm-dispatcher/vocabulary/Target.ts"
import { client } from "#support/Frame.ts"

export const owner = (
  target: ConnectionTarget,
  options: CallLock.CallLockOptions = {},
  database: Layer.Layer<Database.Database, any> = Database.layerTarget(target, { applicationName: "owner" })
) =>
  Effect.gen(function* () {
    const context = yield* Layer.build(
      CallLock.layer({ wait: Duration.seconds(30), ...options }).pipe(
        Layer.provide(database),
        Layer.provideMerge(layerLocal("test"))
      )
    )
    const lock = Context.get(context, CallLock.CallLock)
    yield* Context.get(context, Supervisor).startRegistered
    return lock
  })

export const turn = (severity: Severity = "CRITICAL", dueAt = Date.now(), gateway = "trunk"): Turn => ({
  gateway,
  severity,
  dueAt,
  kind: "request",
  tenantId: 1
})

/** Takes a turn and holds it until `done`. */
export const holding = Effect.fnUntraced(function* (lock: CallLock.CallLock["Service"], asked = turn()) {
  const scope = yield* Scope.make()
  const lease = yield* Scope.provide(lock.take(asked), scope)
  return { lease, done: Scope.close(scope, Exit.void) }
})

export const quiet = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.provideService(Effect.scoped(effect), References.MinimumLogLevel, "None")
export const sessions = (target: ConnectionTarget) =>
  Effect.flatMap(client(target), (sql) =>
    Effect.map(
      sql<{
        n: number
      }>`select count(*)::int as n from pg_stat_activity where datname = current_database() and application_name = 'owner calls'`,
      (rows) => rows[0]!.n
    )
  )
export const endSessions = (target: ConnectionTarget, name = "owner") =>
  Effect.flatMap(
    client(target),
    (sql) =>
      sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = ${`${name} calls`}`
  )
/** An owner whose sessions can be ended separately from the others'. */
export const apart = (target: ConnectionTarget, options: CallLock.CallLockOptions = {}) =>
  owner(target, options, Database.layerTarget(target, { applicationName: "apart" }))
