/** Breakers by key, bounded in number. A closed breaker without faults is not stored. */
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
  /** The admission of a request. `take`: an answered `Probe` counts as under way. */
  readonly admit: (key: string, now: number, take: boolean) => Admission
  readonly tell: (key: string, event: BreakerEvent, now: number) => void
  /** Whether the last evidence was a fault. */
  readonly isSuspect: (key: string) => boolean
  /** Breakers that are not closed, the oldest opening first. */
  readonly away: () => ReadonlyArray<Away>
  /** When a breaker last closed again, epoch milliseconds. */
  readonly lastBack: () => number | undefined
}

/** `since`: of the first opening, epoch milliseconds. */
export interface Away {
  readonly key: string
  readonly state: "open" | "half_open"
  readonly since: number
  readonly reason: string
}

/**
 * Maximum number of breakers in memory. Reason: few hosts fail at once. A flood of invented hosts evicts the least
 * recently used breaker, and its host is dialled again.
 */
export const maxBreakers = 1_000

export const makeBreakers = (policy: BreakerPolicy, most: number = maxBreakers): Breakers => {
  // In the order of use: the first is evicted first.
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
