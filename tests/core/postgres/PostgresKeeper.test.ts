import { realpathSync } from "node:fs"
import { join } from "node:path"
import { withClient } from "#core/postgres/Bootstrap.ts"
import * as PostgresKeeper from "#core/postgres/PostgresKeeper.ts"
import * as PostmasterFile from "#core/postgres/PostmasterFile.ts"
import { until } from "#support/Frame.ts"
import { preparedDirectory } from "#support/PreparedCluster.ts"
import { processesIn, runSupport } from "#support/Processes.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"

/** Bound of a recovery on an idle machine. Unit: milliseconds. Checked in the long run only, which runs alone. */
const promised = process.env["SIGNALBOX_TEST_LONG"] === "1" ? 3_000 : Number.POSITIVE_INFINITY

/**
 * Waits until a server other than `killed` answers; returns the time that it took, in milliseconds. The lock file is
 * read too, because a session of the killed server may answer for a moment.
 */
const healed = ({ current, target }: PostgresKeeper.PostgresKeeper, killed: number) =>
  Effect.gen(function* () {
    const began = performance.now()
    const { data } = (yield* current).layout
    yield* until(
      `a server other than ${killed} answers`,
      Effect.suspend(() =>
        PostmasterFile.read(data)?.pid === killed
          ? Effect.succeed(false)
          : Effect.isSuccess(withClient(target, (sql) => sql`select 1`))
      ),
      patience
    )
    return performance.now() - began
  })

/** Longest wait for a recovery. Unit: seconds. Reason: far above the time needed on a loaded machine. */
const patience = 60

describe("PostgresKeeper", () => {
  it.live(
    "recovers from SIGKILL of the server or its owner, by any process",
    () =>
      Effect.gen(function* () {
        const dataDir = realpathSync(yield* preparedDirectory())
        const sibling = yield* runSupport("PostgresHolder.ts", [dataDir, "keep"])
        const first = yield* sibling.said
        const keeper = yield* PostgresKeeper.make({ dataDir, fsync: false })
        const loop = yield* Effect.forkScoped(keeper.keep)
        assert.isFalse((yield* keeper.current).owner)

        // Kills the sibling's postmaster. Either process may then start the next server.
        process.kill(first.pid, "SIGKILL")
        const afterServer = yield* healed(keeper, first.pid)

        // Kills the sibling. Its server, if it owns one, ends too, and only our process remains.
        yield* sibling.kill("SIGKILL")
        const afterProcess = yield* healed(keeper, first.pid)
        yield* until(
          "our process owns the server",
          Effect.flatMap(keeper.current, ({ isServing, owner }) => (owner ? isServing : Effect.succeed(false))),
          patience
        )

        // Kills our own server.
        const owned = yield* keeper.current
        process.kill(owned.pid, "SIGKILL")
        const ours = yield* healed(keeper, owned.pid)
        yield* until(
          "our process knows the new server",
          Effect.map(keeper.current, ({ pid }) => pid !== owned.pid),
          patience
        )
        assert.isAtLeast(yield* keeper.restarts, 2)
        const times = [afterServer, afterProcess, ours].map(Math.round)
        process.stdout.write(`embedded Postgres back after SIGKILL: ${times.join(", ")} ms\n`)
        for (const time of times) assert.isBelow(time, promised)
        assert.isUndefined(loop.pollUnsafe())
        yield* Fiber.interrupt(loop)
      }).pipe(Effect.scoped),
    4 * patience * 1_000
  )

  it.live("stops the server with its scope, without a restart", () =>
    Effect.gen(function* () {
      const dataDir = realpathSync(yield* preparedDirectory())
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
