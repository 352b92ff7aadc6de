/**
 * A durable Postgres of its own that a test can stop at once, start again, and fill with connections. Clients keep the
 * same DATABASE_URL. The end of the scope stops it.
 */
import { PgConnection } from "@effect/sql-pg"
import { Effect, Exit, Scope } from "effect"
import { socketTarget } from "#core/postgres/Bootstrap.ts"
import { toSqlPg, toUrl } from "#core/postgres/ConnectionTarget.ts"
import { type EmbeddedServer, start } from "#core/postgres/EmbeddedPostgres.ts"
import { temporaryDirectory } from "./Postgres.ts"

interface Run {
  readonly server: EmbeddedServer
  readonly scope: Scope.Closeable
}

/** `maxConnections`: limit for all clients together. `major`: as for `start`. */
export const make = Effect.fnUntraced(function* (maxConnections: number, options: { readonly major?: number } = {}) {
  const dataDir = yield* temporaryDirectory()
  const begin = Effect.gen(function* () {
    const scope = yield* Scope.make()
    const server = yield* Effect.orDie(Scope.provide(start({ dataDir, maxConnections, ...options }), scope))
    return { server, scope } satisfies Run as Run
  })
  let run: Run = yield* begin
  yield* Effect.addFinalizer(() => Scope.close(run.scope, Exit.void))
  const { socketDir } = run.server
  const target = socketTarget(socketDir, "signalbox", "signalbox")

  /** Immediate shutdown: no checkpoint, sessions end at once, and the next start recovers. */
  const stopAtOnce = Effect.gen(function* () {
    process.kill(run.server.pid, "SIGQUIT")
    yield* run.server.exited
  })

  /** Takes all free connections of ordinary roles. The end of the scope returns them. */
  const fill = Effect.gen(function* () {
    let taken = 0
    for (; ; taken++) {
      const one = yield* Effect.exit(PgConnection.make({ ...toSqlPg(target), applicationName: "fill" }))
      if (Exit.isFailure(one)) return taken
    }
  })

  /** Starts the server again after `stopAtOnce`. */
  const startAgain = Effect.gen(function* () {
    const before = run
    run = yield* begin
    yield* Scope.close(before.scope, Exit.void)
  })

  return {
    target,
    stopAtOnce,
    startAgain,
    /** SIGKILL of the main server process, and a new start. */
    killAndStart: Effect.gen(function* () {
      process.kill(run.server.pid, "SIGKILL")
      yield* run.server.exited
      yield* startAgain
    }).pipe(Effect.uninterruptible),
    superuser: socketTarget(socketDir, "postgres", "signalbox"),
    url: toUrl(target),
    /** Immediate restart, with the server away for `milliseconds` in between. */
    restart: (milliseconds: number) =>
      Effect.gen(function* () {
        yield* stopAtOnce
        yield* Effect.sleep(milliseconds)
        yield* startAgain
      }).pipe(Effect.uninterruptible),
    fill
  }
})
