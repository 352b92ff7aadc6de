/** Interface between suite and gateway: the suite passes its daemons and receives the gateway's listener. */
import type { Effect, Scope } from "effect"
import type { Daemon, DaemonError, Platform, RunningDaemon } from "../daemon/Daemon.ts"
import type { Entrance } from "./Entrance.ts"
import type { Trusted } from "../http/ClientAddress.ts"

export interface GatewayOptions {
  /** The mounted daemons. */
  readonly fleet: ReadonlyArray<Daemon>
  /** A running daemon; undefined while it is being rebuilt. */
  readonly running: (name: string) => RunningDaemon | undefined
  readonly trusted: Trusted
  /** Ban list and rate limit of the process. */
  readonly entrance: Entrance
}

export interface Gateway {
  readonly start: (
    options: GatewayOptions
  ) => Effect.Effect<Pick<RunningDaemon, "listener" | "upgrade">, DaemonError, Platform | Scope.Scope>
}
