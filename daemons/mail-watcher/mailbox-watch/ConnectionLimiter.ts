/**
 * How many connect to one mail server: so many at once are signed in, so many knock together, and they knock one after the other. In this
 * process; placed mailboxes are spread over processes, and each has its share.
 */
import { Clock, Duration, Effect, type Scope, Semaphore } from "effect"

export interface ServerLimits {
  /** Connections that stay. Unit: connections. */
  readonly connections: number
  /** Sign-ins under way. */
  readonly signIns: number
  /** Between the beginnings of two sign-ins. */
  readonly signInInterval: Duration.Duration
}

/** Of our own mail server. Reason: one sign-in costs it about 10 ms of a core with TLS, so 2,000 mailboxes are back in 40 s and it still serves people. */
export const ownServerLimits: ServerLimits = { connections: 20_000, signIns: 8, signInInterval: Duration.millis(20) }

/** Of strangers' servers. Reason: large providers count connections of one address in hundreds and sign-ins in a few a second. */
export const foreignServerLimits: ServerLimits = { connections: 200, signIns: 2, signInInterval: Duration.millis(200) }

/** Those who found no place to stay and come in turns. Unit: connections. */
export const maxVisits = 8

interface Gate {
  readonly signIns: Semaphore.Semaphore
  readonly maxVisits: Semaphore.Semaphore
  stayingLeft: number
  /** When the next one may begin to sign in. Unit: milliseconds. */
  nextAt: number
}

export class ConnectionLimiter {
  readonly #gates = new Map<string, Gate>()
  readonly #bounds: (foreign: boolean) => ServerLimits

  constructor(
    bounds: (foreign: boolean) => ServerLimits = (foreign) => (foreign ? foreignServerLimits : ownServerLimits)
  ) {
    this.#bounds = bounds
  }

  /** A place for as long as the scope: to stay, or, when those are taken, to visit, for which it waits its turn. */
  acquire(host: string, foreign: boolean): Effect.Effect<"stay" | "visit", never, Scope.Scope> {
    return Effect.suspend(() => {
      const gate = this.#gate(host, foreign)
      if (gate.stayingLeft > 0) {
        return Effect.as(
          Effect.acquireRelease(
            Effect.sync(() => gate.stayingLeft--),
            () => Effect.sync(() => gate.stayingLeft++)
          ),
          "stay" as const
        )
      }
      return Effect.as(
        Effect.acquireRelease(gate.maxVisits.take(1), () => gate.maxVisits.release(1), { interruptible: true }),
        "visit" as const
      )
    })
  }

  /** Runs a sign-in in its turn. */
  signIn<A, E, R>(host: string, foreign: boolean, signIn: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return Effect.suspend(() => {
      const gate = this.#gate(host, foreign)
      const turn = Effect.flatMap(Clock.currentTimeMillis, (now) => {
        const at = Math.max(now, gate.nextAt)
        gate.nextAt = at + Duration.toMillis(this.#bounds(foreign).signInInterval)
        return Effect.sleep(at - now)
      })
      return gate.signIns.withPermit(Effect.andThen(turn, signIn))
    })
  }

  #gate(host: string, foreign: boolean): Gate {
    const key = `${foreign ? "foreign" : "own"} ${host}`
    const known = this.#gates.get(key)
    if (known !== undefined) return known
    const { signIns, connections } = this.#bounds(foreign)
    const gate = {
      signIns: Semaphore.makeUnsafe(signIns),
      maxVisits: Semaphore.makeUnsafe(maxVisits),
      stayingLeft: connections,
      nextAt: 0
    }
    this.#gates.set(key, gate)
    return gate
  }
}
