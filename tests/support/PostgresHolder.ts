/**
 * A process that uses the embedded Postgres, for tests that kill it. Arguments: data directory, `start` or `keep`.
 * Prints one line of JSON when the server answers ({ pid, owner } or { error }). SIGTERM stops it in order.
 */
import { start } from "#core/postgres/EmbeddedPostgres.ts"
import * as PostgresKeeper from "#core/postgres/PostgresKeeper.ts"
import { Effect, Fiber } from "effect"

const options = { dataDir: process.argv[2] ?? "", fsync: false }
const say = (line: object) => Effect.sync(() => process.stdout.write(`${JSON.stringify(line)}\n`))

const program =
  process.argv[3] === "keep"
    ? Effect.gen(function* () {
        const keeper = yield* PostgresKeeper.make(options)
        const { owner, pid } = yield* keeper.current
        yield* say({ pid, owner })
        return yield* keeper.keep
      })
    : Effect.gen(function* () {
        const { owner, pid } = yield* start(options)
        yield* say({ pid, owner })
        return yield* Effect.never
      })

const fiber = Effect.runFork(
  program.pipe(
    Effect.scoped,
    Effect.catch((error) => say({ error: error.reason, message: error.message }))
  )
)
// Keeps the event loop alive while the program waits.
const alive = setInterval(() => undefined, 60_000)
process.once("SIGTERM", () => void Effect.runPromise(Fiber.interrupt(fiber)))
fiber.addObserver(() => clearInterval(alive))
