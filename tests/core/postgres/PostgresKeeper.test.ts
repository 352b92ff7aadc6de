import { realpathSync } from "node:fs"
import { join } from "node:path"
import { withClient } from "#core/postgres/Bootstrap.ts"
import type { ConnectionTarget } from "#core/postgres/ConnectionTarget.ts"
import * as PostgresKeeper from "#core/postgres/PostgresKeeper.ts"
import { temporaryDirectory } from "#support/Postgres.ts"
import { processesIn, runSupport } from "#support/Processes.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"

/** Time until a server other than `killed` answers. Unit: milliseconds. */
const healed = (target: ConnectionTarget, killed: number) =>
  Effect.gen(function* () {
    const began = performance.now()
    while (performance.now() - began < 10_000) {
      const answers = yield* Effect.isSuccess(withClient(target, (sql) => sql`select 1`))
      if (answers && !processesIn(join(target.host, "..", "data")).includes(killed)) return performance.now() - began
      yield* Effect.sleep(20)
    }
    return Number.POSITIVE_INFINITY
  })

describe("PostgresKeeper", () => {
  it.live("recovers from SIGKILL of the server or its owner, by any process, within 3 s", () =>
    Effect.gen(function* () {
      const dataDir = realpathSync(yield* temporaryDirectory())
      const sibling = yield* runSupport("PostgresHolder.ts", [dataDir, "keep"])
      const first = yield* sibling.said
      const keeper = yield* PostgresKeeper.make({ dataDir, fsync: false })
      const loop = yield* Effect.forkScoped(keeper.keep)
      assert.isFalse((yield* keeper.current).owner)

      // Kills the sibling's postmaster. Either process may then start the next server.
      process.kill(first.pid, "SIGKILL")
      const afterServer = yield* healed(keeper.target, first.pid)
      assert.isBelow(afterServer, 3000)

      // Kills the sibling. Its server, if it owns one, ends too, and only our process remains.
      yield* sibling.kill("SIGKILL")
      const afterProcess = yield* healed(keeper.target, first.pid)
      assert.isBelow(afterProcess, 3000)

      // Kills our own server.
      const owned = yield* Effect.gen(function* () {
        while (true) {
          const now = yield* keeper.current
          if (now.owner && (yield* now.isServing)) return now
          yield* Effect.sleep(20)
        }
      }).pipe(Effect.timeout("5 seconds"))
      process.kill(owned.pid, "SIGKILL")
      const ours = yield* healed(keeper.target, owned.pid)
      assert.isBelow(ours, 3000)
      while ((yield* keeper.current).pid === owned.pid) yield* Effect.sleep(20)
      assert.isAtLeast(yield* keeper.restarts, 2)
      process.stdout.write(
        `embedded Postgres back after SIGKILL: ${[afterServer, afterProcess, ours].map(Math.round).join(", ")} ms\n`
      )
      assert.isUndefined(loop.pollUnsafe())
      yield* Fiber.interrupt(loop)
    }).pipe(Effect.scoped)
  )

  it.live("stops the server with its scope, without a restart", () =>
    Effect.gen(function* () {
      const dataDir = realpathSync(yield* temporaryDirectory())
      yield* Effect.scoped(
        Effect.gen(function* () {
          const keeper = yield* PostgresKeeper.make({ dataDir, fsync: false })
          yield* Effect.forkScoped(keeper.keep)
          yield* Effect.sleep(50)
        })
      )
      assert.deepStrictEqual(processesIn(join(dataDir, "postgres", "data")), [])
    }).pipe(Effect.scoped)
  )
})
