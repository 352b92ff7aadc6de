/**
 * Keeps the embedded server alive from every process that uses it: when it ends, whoever sees it first starts it again
 * and the others adopt that one. The connection target never changes, so pools simply reconnect.
 */
import { Duration, Effect, Exit, Ref, Schedule, Scope } from "effect"
import type { ConnectionTarget } from "./ConnectionTarget.ts"
import { socketTarget } from "./Bootstrap.ts"
import { type EmbeddedServer, start, type StartOptions } from "./EmbeddedPostgres.ts"
import { type EmbeddedPostgresError, fileSystemFailure } from "./EmbeddedPostgresError.ts"
import { boundLog } from "./ServerProcess.ts"

export interface PostgresKeeper {
  /** How to connect as role signalbox to database signalbox; the same for the life of the process. */
  readonly target: ConnectionTarget
  /** The server as it is now. */
  readonly current: Effect.Effect<EmbeddedServer>
  /** Times it was started or adopted again. */
  readonly restarts: Effect.Effect<number>
  /** The loop to run under supervision. Fails only with what no retry can mend. */
  readonly keep: Effect.Effect<never, EmbeddedPostgresError>
}

/**
 * Pause between two looks at the server. Unit: milliseconds. Reason: a killed server is seen well within a second, and
 * a look is one readlink.
 */
export const watchInterval = Duration.millis(300)

/** Starts or adopts the server; it is stopped with the scope when it is ours then. */
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
      // Between the end of our scope and that of the loop nothing may come up again.
      if (closing) return yield* Effect.never
      active = Scope.makeUnsafe()
      const next = yield* Scope.provide(start(options), active)
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
