/** Rows of killed runners are deleted; a living runner whose row was deleted registers again. */
import { assert, it } from "@effect/vitest"
import { Context, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { removeDeadRunners } from "#core/cluster/Cluster.ts"
import { sweeps } from "#core/daemon/Sweeps.ts"
import { Supervisor } from "#core/supervision/Supervisor.ts"
import { frame, until } from "#support/Frame.ts"

it.live("dead runners are removed, and a frozen one joins again", () =>
  Effect.gen(function* () {
    const platform = yield* frame()
    const sql = Context.get(platform, SqlClient.SqlClient)
    const addresses = Effect.map(
      sql<{ address: string }>`select address from cluster_runners order by address`,
      (rows) => rows.map(({ address }) => address)
    )
    yield* until(
      "this process is a runner",
      Effect.map(addresses, ({ length }) => length === 1)
    )
    const living = yield* addresses
    const add = (address: string, age: number) =>
      sql`insert into cluster_runners (address, runner, healthy, last_heartbeat)
        select ${address}, runner, true, now() - make_interval(secs => ${age}) from cluster_runners limit 1`
    yield* add("10.0.0.9:1", 86_400)
    yield* add("10.0.0.9:2", 61)
    yield* add("10.0.0.9:3", 30)
    yield* Context.get(platform, Supervisor).start(sweeps).pipe(Effect.provideContext(platform))
    yield* until(
      "the dead are removed",
      Effect.map(addresses, ({ length }) => length === 2)
    )
    assert.deepStrictEqual(yield* addresses, ["10.0.0.9:3", ...living])
    // Makes the heartbeats older than the limit, as after a long freeze of this process.
    yield* sql`update cluster_runners set last_heartbeat = now() - interval '1 day'`
    yield* Effect.provideService(removeDeadRunners, SqlClient.SqlClient, sql)
    yield* until(
      "this process is a runner again",
      Effect.map(addresses, (now) => now.includes(living[0]!))
    )
  })
)
