/**
 * How many connect to one mail server: so many at once are signed in, so many knock together, and they knock one after the other. In this
 * process; placed mailboxes are spread over processes, and each has its share.
 */
import { Clock, Duration, Effect, type Scope, Semaphore } from "effect"

export interface HostBounds {
  /** Connections that stay. Unit: connections. */
  readonly staying: number
  /** Sign-ins under way. */
  readonly knocking: number
  /** Between the beginnings of two sign-ins. */
  readonly apart: Duration.Duration
}

/** Of our own mail server. Reason: one sign-in costs it about 10 ms of a core with TLS, so 2,000 mailboxes are back in 40 s and it still serves people. */
export const ownBounds: HostBounds = { staying: 20_000, knocking: 8, apart: Duration.millis(20) }

/** Of strangers' servers. Reason: large providers count connections of one address in hundreds and sign-ins in a few a second. */
export const foreignBounds: HostBounds = { staying: 200, knocking: 2, apart: Duration.millis(200) }

/** Those who found no place to stay and come in turns. Unit: connections. */
export const visiting = 8

interface Gate {
  readonly knocking: Semaphore.Semaphore
  readonly visiting: Semaphore.Semaphore
  stayingLeft: number
  /** When the next one may begin to sign in. Unit: milliseconds. */
  nextAt: number
}

export class HostGates {
  readonly #gates = new Map<string, Gate>()
  readonly #bounds: (foreign: boolean) => HostBounds

  constructor(bounds: (foreign: boolean) => HostBounds = (foreign) => (foreign ? foreignBounds : ownBounds)) {
    this.#bounds = bounds
  }

  /** A place for as long as the scope: to stay, or, when those are taken, to visit, for which it waits its turn. */
  place(host: string, foreign: boolean): Effect.Effect<"stay" | "visit", never, Scope.Scope> {
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
        Effect.acquireRelease(gate.visiting.take(1), () => gate.visiting.release(1), { interruptible: true }),
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
        gate.nextAt = at + Duration.toMillis(this.#bounds(foreign).apart)
        return Effect.sleep(at - now)
      })
      return gate.knocking.withPermit(Effect.andThen(turn, signIn))
    })
  }

  #gate(host: string, foreign: boolean): Gate {
    const key = `${foreign ? "foreign" : "own"} ${host}`
    const known = this.#gates.get(key)
    if (known !== undefined) return known
    const { knocking, staying } = this.#bounds(foreign)
    const gate = {
      knocking: Semaphore.makeUnsafe(knocking),
      visiting: Semaphore.makeUnsafe(visiting),
      stayingLeft: staying,
      nextAt: 0
    }
    this.#gates.set(key, gate)
    return gate
  }
}
