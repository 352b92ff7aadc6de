/** A look at a domain for somebody who waits for it. Call outside transactions. */
import { Clock, Duration, Effect } from "effect"
import type { Observation, Question } from "../observe/Observation.ts"
import type { Depth, Observer } from "../observe/Observer.ts"

/**
 * How long they wait. Reason: longer than a slow name server takes, shorter than a person's patience; a look in depth
 * asks every server.
 */
export const patience: Readonly<Record<Depth, Duration.Duration>> = {
  quick: Duration.seconds(5),
  deep: Duration.seconds(15)
}

/** Never fails: what was not seen in time is not in it. */
export const look = (
  { observe }: Observer["Service"],
  domain: string,
  questions: ReadonlyArray<Question>,
  depth: Depth
): Effect.Effect<Observation> =>
  Effect.timeoutOrElse(observe(domain, questions, depth), {
    duration: patience[depth],
    orElse: () =>
      Effect.map(Clock.currentTimeMillis, (now) => ({
        domain,
        at: new Date(now).toISOString(),
        delegation: { outcome: "unknown" as const, zone: null, servers: [] },
        dnssec: "unknown" as const,
        asked: []
      }))
  })
