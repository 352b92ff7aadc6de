/**
 * Limits the requests under way per outbound host, so that a host that hangs leaves the worker's other jobs to other
 * hosts. While the host answers, further requests wait, the highest priority first. Once the oldest request has been
 * silent for longer than `patience`, waiting requests are put off.
 *
 * A host gets few slots at first, and one more for each `growEvery` for which requests wait. A prompt host needs few,
 * because its slots return within milliseconds. A slot is held until the outcome is recorded, so a killed process
 * leaves few requests without a known outcome, which are sent again.
 *
 * Why not `Semaphore` or `PartitionedSemaphore` of effect 4.1: they have no priorities and no bound on silence.
 * Measured with `npm run bench -- limits`: when a host takes 10 s for its 16 requests, a semaphore keeps the next
 * worker for 10 s; here it is free after 2 s.
 */
import { Clock, Duration, Effect, Latch, Random, type Scope } from "effect"

export interface HostSlots {
  /**
   * A slot at the host, held until it is released or the scope ends. `priority`: higher goes first, then first come
   * first served.
   */
  readonly take: (host: string, priority: number) => Effect.Effect<HostSlot, never, Scope.Scope>
}

/**
 * `dialling`: runs a request in the slot, which stays held until the scope ends. `Full`: try again after `retryAfter`
 * milliseconds.
 */
export type HostSlot =
  | { readonly _tag: "Taken"; readonly dialling: <A, E, R>(request: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R> }
  | { readonly _tag: "Full"; readonly retryAfter: number }

/**
 * Maximum number of requests under way to one host, and of sockets to it (OutboundHttp.ts). Reason: a slow host must
 * not occupy all workers and sockets.
 */
export const mostPerHost = 16

/** Slots of a host before any request has waited. Reason: a prompt host answers 50 requests a second with them. */
export const firstSlots = 2

/** Waiting time that gives a host one more slot. Unit: milliseconds. Reason: a host has all slots within 1.4 s. */
export const growEvery = 100

/**
 * Silence of a host after which waiting requests are put off. Unit: milliseconds. Reason: above the response time of
 * a healthy host on a busy machine, yet short for requests to other hosts.
 */
export const patience = 2_000

/**
 * Bounds of a host's pause. Unit: milliseconds. Reason: it may answer any time, and its requests time out after 10 s.
 */
export const pauses = { least: 2_000, most: 4_000 } as const

/**
 * Pause before the next try: as long as the host has been silent, plus a random part of the same length, so that
 * requests do not return together. `random`: 0 to 1.
 */
export const pauseOf = (silent: number, random: number): number => {
  const pause = Math.min(Math.max(silent, pauses.least), pauses.most)
  return Math.round(pause * (1 + random))
}

interface Held {
  /** Time of dialling, in epoch milliseconds; undefined before and after the request. */
  dialled: number | undefined
}

interface Waiting {
  readonly priority: number
  readonly called: Latch.Latch
}

interface Host {
  readonly held: Set<Held>
  readonly waiting: Set<Waiting>
  /** Since when requests wait without interruption, in epoch milliseconds; undefined: none waits. */
  waitingSince: number | undefined
}

/** The next to go; a set keeps the order of arrival. */
const firstOf = ({ waiting }: Host): Waiting | undefined => {
  let first: Waiting | undefined
  for (const one of waiting) if (first === undefined || one.priority > first.priority) first = one
  return first
}

export const makeHostSlots = (most: number = mostPerHost, first: number = firstSlots): HostSlots => {
  const hosts = new Map<string, Host>()

  const at = (name: string): Host => {
    const known = hosts.get(name)
    if (known !== undefined) return known
    const host: Host = { held: new Set(), waiting: new Set(), waitingSince: undefined }
    hosts.set(name, host)
    return host
  }

  /** Slots that the host has now. */
  const slotsOf = ({ waitingSince }: Host, now: number): number =>
    Math.min(most, first + (waitingSince === undefined ? 0 : Math.floor((now - waitingSince) / growEvery)))

  /** Wakes the first waiting request when a slot is free, and removes an unused host. */
  const callNext = (name: string, host: Host) => {
    const next = firstOf(host)
    if (next !== undefined && host.held.size < most) Latch.openUnsafe(next.called)
    if (host.held.size === 0 && host.waiting.size === 0) hosts.delete(name)
  }

  const giveBack = (name: string, host: Host, held: Held) => {
    if (host.held.delete(held)) callNext(name, host)
  }

  /** Silence of the oldest request under way. Unit: milliseconds. */
  const silence = ({ held }: Host, now: number): number =>
    [...held].reduce((longest, { dialled }) => (dialled === undefined ? longest : Math.max(longest, now - dialled)), 0)

  const tryTake = (
    name: string,
    own: Waiting | undefined
  ): Effect.Effect<{ readonly host: Host; readonly held: Held } | undefined, never, Scope.Scope> =>
    Effect.acquireRelease(
      Effect.map(Clock.currentTimeMillis, (now) => {
        const host = at(name)
        if (host.held.size >= slotsOf(host, now) || (host.waiting.size > 0 && firstOf(host) !== own)) return undefined
        const held: Held = { dialled: undefined }
        host.held.add(held)
        return { host, held }
      }),
      (taken) => (taken === undefined ? Effect.void : Effect.sync(() => giveBack(name, taken.host, taken.held)))
    )

  const slotOf = ({ held }: { readonly held: Held }): HostSlot => ({
    _tag: "Taken",
    dialling: (request) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        held.dialled = now
        return Effect.ensuring(
          request,
          Effect.sync(() => void (held.dialled = undefined))
        )
      })
  })

  const full = (silent: number) =>
    Effect.map(Random.next, (random): HostSlot => ({ _tag: "Full", retryAfter: pauseOf(silent, random) }))

  const wait = (name: string, priority: number) =>
    Effect.flatMap(Clock.currentTimeMillis, (begun) => {
      const own: Waiting = { priority, called: Latch.makeUnsafe(false) }
      const host = at(name)
      host.waiting.add(own)
      host.waitingSince ??= begun
      return Effect.gen(function* () {
        for (;;) {
          const taken = yield* tryTake(name, own)
          if (taken !== undefined) return slotOf(taken)
          const silent = silence(host, yield* Clock.currentTimeMillis)
          if (silent > patience) return yield* full(silent)
          Latch.closeUnsafe(own.called)
          yield* Effect.timeoutOption(own.called.await, Duration.millis(Math.min(growEvery, patience - silent + 1)))
        }
      }).pipe(
        Effect.ensuring(
          Effect.sync(() => {
            host.waiting.delete(own)
            if (host.waiting.size === 0) host.waitingSince = undefined
            callNext(name, host)
          })
        )
      )
    })

  return {
    take: Effect.fnUntraced(function* (name: string, priority: number) {
      const taken = yield* tryTake(name, undefined)
      if (taken !== undefined) return slotOf(taken)
      const host = hosts.get(name)
      const silent = host === undefined ? 0 : silence(host, yield* Clock.currentTimeMillis)
      return silent > patience ? yield* full(silent) : yield* wait(name, priority)
    })
  }
}
