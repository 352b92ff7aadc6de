/** A check for a caller who waits for the answer. Call outside transactions. */
import { Clock, Duration, Effect } from "effect"
import type { Observation, Question } from "./Observation.ts"
import type { Depth, Observer } from "./Observer.ts"
import { detect } from "./ProviderDetection.ts"

/**
 * Time limit of a check. Reason: longer than a slow name server takes, and short enough for a person to wait. A deep
 * check asks every server.
 */
export const timeLimits: Readonly<Record<Depth, Duration.Duration>> = {
  quick: Duration.seconds(5),
  deep: Duration.seconds(15)
}

/** Never fails; after the time limit the observation is empty. */
export const timedLook = (
  { observe }: Observer["Service"],
  domain: string,
  questions: ReadonlyArray<Question>,
  depth: Depth
): Effect.Effect<Observation> =>
  Effect.timeoutOrElse(observe(domain, questions, depth), {
    duration: timeLimits[depth],
    orElse: () =>
      Effect.map(Clock.currentTimeMillis, (now) => ({
        domain,
        at: new Date(now).toISOString(),
        delegation: { outcome: "unknown" as const, zone: null, servers: [] },
        dnssec: "unknown" as const,
        asked: []
      }))
  })

/**
 * Detects the provider and the zone of a new domain. What is not found in time, the sweep finds later. Never fails.
 * Call outside transactions.
 */
export const detectProvider = (observer: Observer["Service"], name: string) =>
  Effect.map(timedLook(observer, name, [], "quick"), ({ delegation: { servers, zone } }) => ({
    provider: detect(servers.map((server) => server.name)).provider,
    zone
  }))
