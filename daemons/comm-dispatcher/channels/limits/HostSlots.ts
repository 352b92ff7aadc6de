/**
 * How many deliveries one host may have under way, so that one that hangs leaves the worker's other slots to other hosts.
 * While a host answers, whoever finds it full waits, the gravest in front; once the oldest delivery under way has gone
 * without an answer for longer than `patience`, the rest are told to come again.
 */
import { Clock, Duration, Effect, Latch, Random, type Scope } from "effect"

export interface HostSlots {
  /** A slot at the host, kept until it is given back or the scope ends. `priority`: higher goes first, then who came first. */
  readonly take: (host: string, priority: number) => Effect.Effect<HostSlot, never, Scope.Scope>
}

/** `dialling`: runs a delivery in the slot, and gives it back at its end. `Full`: not before so many milliseconds from now. */
export type HostSlot =
  | { readonly _tag: "Taken"; readonly dialling: <A, E, R>(deliver: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R> }
  | { readonly _tag: "Full"; readonly retryAfter: number }

/** Unit: deliveries under way at one host. Reason: as many as the dialler has sockets for one. */
export const mostPerHost = 16

/** Unit: milliseconds. Reason: above what a healthy host takes on a busy machine, and no pause of other hosts that matters. */
export const patience = 2_000

/** Bounds of the pause that a host is given. Unit: milliseconds. Reason: it may answer any time, and everything it has is timed out after 10 s. */
export const pauses = { least: 2_000, most: 4_000 } as const

/**
 * When to come again: after as long again as the host has kept silent, and spread over as much, so that those put off come
 * back a few times at most and not together. `random`: 0 to 1.
 */
export const pauseOf = (silent: number, random: number): number => {
  const pause = Math.min(Math.max(silent, pauses.least), pauses.most)
  return Math.round(pause * (1 + random))
}

interface Held {
  /** Epoch milliseconds; undefined while it is not dialled yet. */
  dialled: number | undefined
}

interface Waiting {
  readonly priority: number
  readonly called: Latch.Latch
}

interface Host {
  readonly held: Set<Held>
  readonly waiting: Set<Waiting>
}

/** Whose turn it is; a set keeps the order of coming. */
const firstOf = ({ waiting }: Host): Waiting | undefined => {
  let first: Waiting | undefined
  for (const one of waiting) if (first === undefined || one.priority > first.priority) first = one
  return first
}

export const makeHostSlots = (most: number = mostPerHost): HostSlots => {
  const hosts = new Map<string, Host>()

  const at = (name: string): Host => {
    const known = hosts.get(name)
    if (known !== undefined) return known
    const host: Host = { held: new Set(), waiting: new Set() }
    hosts.set(name, host)
    return host
  }

  /** Wakes the first who waits when there is a slot, and forgets a host where nobody is. */
  const callNext = (name: string, host: Host) => {
    const first = firstOf(host)
    if (first !== undefined && host.held.size < most) Latch.openUnsafe(first.called)
    if (host.held.size === 0 && host.waiting.size === 0) hosts.delete(name)
  }

  const giveBack = (name: string, host: Host, held: Held) => {
    if (host.held.delete(held)) callNext(name, host)
  }

  /** How long the oldest under way has kept silent. Unit: milliseconds. */
  const silence = ({ held }: Host, now: number): number =>
    [...held].reduce((longest, { dialled }) => (dialled === undefined ? longest : Math.max(longest, now - dialled)), 0)

  const tryTake = (
    name: string,
    own: Waiting | undefined
  ): Effect.Effect<{ readonly host: Host; readonly held: Held } | undefined, never, Scope.Scope> =>
    Effect.acquireRelease(
      Effect.sync(() => {
        const host = at(name)
        if (host.held.size >= most || (host.waiting.size > 0 && firstOf(host) !== own)) return undefined
        const held: Held = { dialled: undefined }
        host.held.add(held)
        return { host, held }
      }),
      (taken) => (taken === undefined ? Effect.void : Effect.sync(() => giveBack(name, taken.host, taken.held)))
    )

  const slotOf = (name: string, { held, host }: { readonly host: Host; readonly held: Held }): HostSlot => ({
    _tag: "Taken",
    dialling: (deliver) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        held.dialled = now
        return Effect.ensuring(
          deliver,
          Effect.sync(() => giveBack(name, host, held))
        )
      })
  })

  const full = (silent: number) =>
    Effect.map(Random.next, (random): HostSlot => ({ _tag: "Full", retryAfter: pauseOf(silent, random) }))

  const wait = (name: string, priority: number) =>
    Effect.suspend(() => {
      const own: Waiting = { priority, called: Latch.makeUnsafe(false) }
      const host = at(name)
      host.waiting.add(own)
      return Effect.gen(function* () {
        for (;;) {
          const taken = yield* tryTake(name, own)
          if (taken !== undefined) return slotOf(name, taken)
          const silent = silence(host, yield* Clock.currentTimeMillis)
          if (silent > patience) return yield* full(silent)
          Latch.closeUnsafe(own.called)
          yield* Effect.timeoutOption(own.called.await, Duration.millis(patience - silent + 1))
        }
      }).pipe(
        Effect.ensuring(
          Effect.sync(() => {
            host.waiting.delete(own)
            callNext(name, host)
          })
        )
      )
    })

  return {
    take: Effect.fnUntraced(function* (name: string, priority: number) {
      const taken = yield* tryTake(name, undefined)
      if (taken !== undefined) return slotOf(name, taken)
      const host = hosts.get(name)
      const silent = host === undefined ? 0 : silence(host, yield* Clock.currentTimeMillis)
      return silent > patience ? yield* full(silent) : yield* wait(name, priority)
    })
  }
}
