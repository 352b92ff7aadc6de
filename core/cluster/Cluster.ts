/**
 * The cluster layer: one for every layout, over the same Postgres. Each daemon is a shard group; a process serves the
 * groups of the daemons it runs, and what must live once in the fleet is placed in its daemon's group.
 *
 * All processes must agree on these settings (a runner that disagrees on shards hangs in silence), hence one module and
 * no variables but the address. It restarts nothing: that is the supervisor inside the place.
 */
import { NodeClusterSocket } from "@effect/platform-node"
import { Effect, Layer, Option, References, type Scope } from "effect"
import { RunnerAddress, Sharding } from "effect/cluster"
import { createServer } from "node:net"
import type { Place } from "../supervision/Supervisor.ts"

/**
 * Tuned so that what a killed process held is elsewhere within 10 s, at a cost of two statements a second: its
 * heartbeat is old after `shardLockExpiration`, which the others see at their next look at the assignments.
 *
 * The message poll is also how long the cluster waits before it tries again for shards after the database was away, so
 * it bounds how long placed actors run nowhere after a restart of Postgres. Connections: the advisory locks of a runner
 * take one of the pool's for good.
 */
const tuned = {
  shardsPerGroup: 8,
  shardLockRefreshInterval: "2 seconds",
  shardLockExpiration: "6 seconds",
  refreshAssignmentsInterval: "1500 millis",
  entityMessagePollInterval: "4 seconds",
  entityReplyPollInterval: "50 millis",
  runnerHealthCheckInterval: "2 seconds",
  entityTerminationTimeout: "15 seconds",
  simulateRemoteSerialization: false
} as const

/** The runners' own group. Its health check is a singleton there, so every process serves it. */
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
    Effect.map(options.port === 0 ? freePort(options.host) : Effect.succeed(options.port), (port) =>
      NodeClusterSocket.layer({
        storage: "sql",
        shardingConfig: {
          ...tuned,
          runnerAddress: Option.some(RunnerAddress.make(options.host, port)),
          runnerListenAddress: Option.none(),
          availableShardGroups: [commonGroup, ...options.daemons],
          assignedShardGroups: [commonGroup, ...options.running]
        }
      }).pipe(
        // Everyday messages (listening, a runner joined) do not matter to operators.
        Layer.provide(Layer.succeed(References.MinimumLogLevel, "Warn"))
      )
    )
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

const freePort = (host: string) =>
  Effect.callback<number>((resume) => {
    const probe = createServer()
    probe.listen(0, host, () => {
      const address = probe.address()
      probe.close(() => resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : 0)))
    })
  })
