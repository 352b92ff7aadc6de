/**
 * Keeps the embedded server running. Every process that uses the server watches it: the first one to see it exit
 * restarts it, and the others adopt the new server. The connection target never changes, so pools reconnect.
 */
import { Duration, Effect, Exit, Ref, Schedule, Scope } from "effect"
import type { ConnectionTarget } from "./ConnectionTarget.ts"
import { socketTarget } from "./Bootstrap.ts"
import { type EmbeddedServer, start, type StartOptions } from "./EmbeddedPostgres.ts"
import { type EmbeddedPostgresError, fileSystemFailure } from "./EmbeddedPostgresError.ts"
import { boundLog } from "./ServerProcess.ts"

export interface PostgresKeeper {
  /** Connection target of role signalbox and database signalbox; constant for the life of the process. */
  readonly target: ConnectionTarget
  /** The current server. */
  readonly current: Effect.Effect<EmbeddedServer>
  /** Number of times the server was restarted or adopted again. */
  readonly restarts: Effect.Effect<number>
  /** The watch loop, to be supervised. Fails only with errors that a retry cannot fix. */
  readonly keep: Effect.Effect<never, EmbeddedPostgresError>
}

/**
 * Interval of checks. Unit: milliseconds. Reason: detects a killed server well within a second, and a check is one
 * readlink.
 */
export const watchInterval = Duration.millis(300)

/** Starts or adopts the server. A server started here stops with the scope. */
export const make = (options: StartOptions): Effect.Effect<PostgresKeeper, EmbeddedPostgresError, Scope.Scope> =>
  Effect.gen(function* () {
    let closing = false
    let active = Scope.makeUnsafe()
    yield* Effect.addFinalizer((exit) =>
      Effect.suspend(() => {
        closing = true
        return Scope.close(active, exit)
      })
    )
    const first = yield* Scope.provide(start(options), active)
    const server = yield* Ref.make(first)
    const restarts = yield* Ref.make(0)

    const untilGone = Effect.gen(function* () {
      const current = yield* Ref.get(server)
      while (yield* current.isServing) {
        yield* Effect.try({
          try: () => boundLog(current.layout.log),
          catch: fileSystemFailure("bounding the server's log")
        }).pipe(Effect.catch((error) => Effect.logWarning(error.message)))
        const ended = yield* Effect.timeoutOption(current.exited, watchInterval)
        if (ended._tag === "Some") return
      }
    })

    const replace = Effect.gen(function* () {
      yield* Scope.close(active, Exit.void)
      // The scope is closing: the server must not start again before this loop is interrupted.
      if (closing) return yield* Effect.never
      active = Scope.makeUnsafe()
      const next = yield* Scope.provide(start({ ...options, existing: true }), active)
      yield* Ref.set(server, next)
      yield* Ref.update(restarts, (count) => count + 1)
      yield* Effect.logWarning(
        `embedded Postgres is back, process ${next.pid}, ${next.owner ? "started here" : "started by a sibling"}`
      )
    })

    const persist = Effect.retry(
      Effect.tapError(replace, (error) => (closing ? Effect.never : Effect.logError(error.message))),
      { while: (error) => error.isRetryable, schedule: Schedule.spaced(watchInterval) }
    )

    return {
      target: socketTarget(first.socketDir, first.user, first.database),
      current: Ref.get(server),
      restarts: Ref.get(restarts),
      keep: Effect.forever(
        Effect.gen(function* () {
          yield* untilGone
          if (!closing) yield* Effect.logWarning("embedded Postgres is gone, starting it again")
          yield* persist
        })
      )
    }
  })
