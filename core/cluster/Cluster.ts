/**
 * The cluster layer, the same in every layout, over the same Postgres. Each daemon is a shard group. A process serves
 * the groups of the daemons it runs, and placed actors run in the group of their daemon.
 *
 * All processes must agree on these settings, because a runner with different shards hangs without an error. So they
 * are constants; only the address is configurable. The cluster restarts nothing: the supervisor does.
 */
import { NodeCrypto } from "@effect/platform-node"
import { Effect, Layer, Option, References, type Scope } from "effect"
import {
  RunnerHealth,
  Runners,
  Sharding,
  ShardingConfig,
  SocketRunner,
  SqlMessageStorage,
  SqlRunnerStorage
} from "effect/cluster"
import { SocketServer } from "effect/socket"
import { SqlClient, type SqlError } from "effect/sql"
import type { Place } from "../supervision/Supervisor.ts"
import { Incarnation } from "./Incarnation.ts"
import * as RunnerDialer from "./RunnerDialer.ts"
import * as RunnerFrames from "./RunnerFrames.ts"
import * as RunnerListener from "./RunnerListener.ts"
import { identityOf, newKey } from "./RunnerTls.ts"

/**
 * Timing constants. Actors of a killed process run elsewhere within 10 s, at a cost of nearly two statements a
 * second: its heartbeat expires after `shardLockExpiration`, and the others see that when they next refresh the
 * assignments.
 *
 * The message poll interval is also the retry interval for shards after a database outage. It bounds how long placed
 * actors do not run after a restart of Postgres. A runner's advisory locks occupy one connection of the pool
 * permanently.
 */
const tuned = {
  shardsPerGroup: 8,
  shardLockRefreshInterval: "2500 millis",
  shardLockExpiration: "6 seconds",
  refreshAssignmentsInterval: "1500 millis",
  entityMessagePollInterval: "4 seconds",
  entityReplyPollInterval: "50 millis",
  runnerHealthCheckInterval: "2 seconds",
  entityTerminationTimeout: "15 seconds",
  simulateRemoteSerialization: false
} as const

/** Shard group of the runners themselves. Every process serves it, because its health check is a singleton there. */
const commonGroup = "default"

export interface ClusterOptions {
  /** All existing daemons, in any layout. */
  readonly daemons: ReadonlyArray<string>
  /** The daemons of this process. */
  readonly running: ReadonlyArray<string>
  /** Address at which other processes reach this one. Port 0: a free one. */
  readonly host: string
  readonly port: number
}

export const layer = (options: ClusterOptions) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const key = newKey()
      // Listens first: between a look for a free port and its use, another program could take it.
      const { address, server } = yield* RunnerListener.make({ host: options.host, port: options.port, key })
      // The other processes find the key in the database.
      yield* (yield* Incarnation).publish({ address: identityOf(address), key })
      return Layer.provide(SocketRunner.layer, [
        Layer.succeed(SocketServer.SocketServer, server),
        RunnerDialer.layer
      ]).pipe(
        Layer.provide(RunnerHealth.layerPing.pipe(Layer.provide(Runners.layerRpc), Layer.provide(RunnerDialer.layer))),
        Layer.provideMerge(SqlMessageStorage.layer.pipe(Layer.provide(NodeCrypto.layerDigest))),
        Layer.provide(Layer.orDie(SqlRunnerStorage.layer)),
        Layer.provide(
          ShardingConfig.layer({
            ...tuned,
            runnerAddress: Option.some(address),
            runnerListenAddress: Option.none(),
            availableShardGroups: [commonGroup, ...options.daemons],
            assignedShardGroups: [commonGroup, ...options.running]
          })
        ),
        Layer.provide(RunnerFrames.layer),
        // Routine messages (listening, a runner joined) are not logged.
        Layer.provide(Layer.succeed(References.MinimumLogLevel, "Warn"))
      )
    })
  )

/**
 * Age of a heartbeat after which its runner's row is deleted. Unit: seconds. Reason: ten times `shardLockExpiration`,
 * after which the others have taken the runner's shards. A runner that was only frozen registers again.
 */
const deadAfter = 60

/**
 * Deletes the rows of runners that were killed, and returns their number. The cluster itself deletes such rows only
 * when a runner stops in order.
 */
export const removeDeadRunners: Effect.Effect<number, SqlError.SqlError, SqlClient.SqlClient> = Effect.gen(
  function* () {
    const sql = yield* SqlClient.SqlClient
    const gone = yield* sql`delete from cluster_runners
      where last_heartbeat < now() - make_interval(secs => ${deadAfter}) returning 1`
    return gone.length
  }
)

/** Placement for the supervisor of `daemon`. */
export const place = (daemon: string): Effect.Effect<Place, never, Sharding.Sharding> =>
  Effect.map(
    Sharding.Sharding,
    (sharding): Place =>
      (name, run) =>
        sharding.registerSingleton(`${daemon}/${name}`, run, { shardGroup: daemon }) as Effect.Effect<
          void,
          never,
          Scope.Scope
        >
  )
