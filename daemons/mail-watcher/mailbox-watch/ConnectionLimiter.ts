/**
 * Limits the connections of this process to one mail server: connections that stay open, concurrent sign-ins, and the
 * rate of sign-ins. Every process that watches mailboxes has its own limits.
 */
import { Effect, type Scope, Semaphore } from "effect"
import { awaitTokens, type Policy, TokenBucket } from "#core/limits/TokenBucket.ts"

export interface ServerLimits {
  /** Connections that stay open. Unit: connections. */
  readonly connections: number
  /** Concurrent sign-ins. */
  readonly signIns: number
  /** Starts of sign-ins. A burst of 1 spaces them evenly. */
  readonly signInRate: Policy
}

/**
 * Our own mail server. Reason: one sign-in with TLS costs it 10 ms of a core. 2,000 mailboxes are connected again
 * within 40 s, while it still serves people.
 */
export const ownServerLimits: ServerLimits = {
  connections: 20_000,
  signIns: 8,
  signInRate: { burst: 1, perSecond: 50 }
}

/**
 * Foreign mail servers. Reason: large providers limit an address to hundreds of connections and a few sign-ins per
 * second.
 */
export const foreignServerLimits: ServerLimits = {
  connections: 200,
  signIns: 2,
  signInRate: { burst: 1, perSecond: 5 }
}

/** Maximum number of connections beyond the limit. Each closes after one scan, so that others can follow. */
export const maxVisits = 8

interface ServerConnections {
  readonly signIns: Semaphore.Semaphore
  readonly visits: Semaphore.Semaphore
  connectionsLeft: number
  /** One token for each start of a sign-in. */
  readonly starts: TokenBucket
}

export class ConnectionLimiter {
  readonly #servers = new Map<string, ServerConnections>()
  readonly #limits: (foreign: boolean) => ServerLimits

  constructor(
    limits: (foreign: boolean) => ServerLimits = (foreign) => (foreign ? foreignServerLimits : ownServerLimits)
  ) {
    this.#limits = limits
  }

  /**
   * Takes a connection for the lifetime of the scope. `stay` while the limit allows; beyond it `visit`, after waiting
   * for a free visit.
   */
  acquire(host: string, foreign: boolean): Effect.Effect<"stay" | "visit", never, Scope.Scope> {
    return Effect.suspend(() => {
      const server = this.#server(host, foreign)
      if (server.connectionsLeft > 0) {
        return Effect.as(
          Effect.acquireRelease(
            Effect.sync(() => server.connectionsLeft--),
            () => Effect.sync(() => server.connectionsLeft++)
          ),
          "stay" as const
        )
      }
      return Effect.as(
        Effect.acquireRelease(server.visits.take(1), () => server.visits.release(1), { interruptible: true }),
        "visit" as const
      )
    })
  }

  /** Runs a sign-in within the limits. */
  signIn<A, E, R>(host: string, foreign: boolean, signIn: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return Effect.suspend(() => {
      const server = this.#server(host, foreign)
      return server.signIns.withPermit(Effect.andThen(awaitTokens(server.starts), signIn))
    })
  }

  #server(host: string, foreign: boolean): ServerConnections {
    const key = `${foreign ? "foreign" : "own"} ${host}`
    const known = this.#servers.get(key)
    if (known !== undefined) return known
    const { signIns, signInRate, connections } = this.#limits(foreign)
    const server = {
      signIns: Semaphore.makeUnsafe(signIns),
      visits: Semaphore.makeUnsafe(maxVisits),
      connectionsLeft: connections,
      starts: new TokenBucket(signInRate, 0)
    }
    this.#servers.set(key, server)
    return server
  }
}
