/** Breakers by key, bounded in number. One that is closed and has seen no fault is not kept: it is as new. */
import {
  admission,
  type Admission,
  type Breaker,
  type BreakerEvent,
  type BreakerPolicy,
  closed,
  decide
} from "./Breaker.ts"

export interface Breakers {
  /** What one who asks is told. `take`: a `Probe` that is given out counts as under way. */
  readonly admit: (key: string, now: number, take: boolean) => Admission
  readonly tell: (key: string, event: BreakerEvent, now: number) => void
  /** Whether the last that was heard of it was a fault, however few there were. */
  readonly isSuspect: (key: string) => boolean
  /** Those that are not closed, oldest opening first. */
  readonly away: () => ReadonlyArray<Away>
  /** When one of them last closed again, epoch milliseconds. */
  readonly lastBack: () => number | undefined
}

/** `since`: of the first opening, epoch milliseconds. */
export interface Away {
  readonly key: string
  readonly state: "open" | "half_open"
  readonly since: number
  readonly reason: string
}

/** Unit: keys. Reason: hosts that fail at one time are few; a flood of made-up ones forgets the least used, which then is dialled. */
export const maxBreakers = 1_000

export const makeBreakers = (policy: BreakerPolicy, most: number = maxBreakers): Breakers => {
  // In the order of use: the first is the one to go.
  const kept = new Map<string, Breaker>()
  let lastBack: number | undefined
  const put = (key: string, breaker: Breaker) => {
    kept.delete(key)
    if (breaker._tag === "Closed" && breaker.faults === 0) return
    kept.set(key, breaker)
    for (const oldest of kept.keys()) {
      if (kept.size <= most) break
      kept.delete(oldest)
    }
  }
  const at = (key: string, now: number): Breaker => kept.get(key) ?? closed(now)

  return {
    admit: (key, now, take) => {
      const breaker = at(key, now)
      if (take) put(key, decide(breaker, { _tag: "Asked" }, now, policy))
      return admission(breaker, now)
    },
    tell: (key, event, now) => {
      const before = at(key, now)
      const after = decide(before, event, now, policy)
      if (before._tag !== "Closed" && after._tag === "Closed") lastBack = now
      put(key, after)
    },
    isSuspect: (key) => kept.has(key),
    lastBack: () => lastBack,
    away: () =>
      [...kept]
        .flatMap(([key, breaker]): ReadonlyArray<Away> =>
          breaker._tag === "Closed"
            ? []
            : [
                {
                  key,
                  state: breaker._tag === "Open" ? "open" : "half_open",
                  since: breaker.since,
                  reason: breaker.reason
                }
              ]
        )
        .toSorted((one, other) => one.since - other.since)
  }
}
