/** A look at a domain for somebody who waits for it. Call outside transactions. */
import { Clock, Duration, Effect } from "effect"
import type { Observation, Question } from "./Observation.ts"
import type { Depth, Observer } from "./Observer.ts"
import { detect } from "./ProviderDetection.ts"

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

/**
 * Who runs a new domain's DNS, asked once before it is made; what does not answer by then, the sweep finds out later.
 * Never fails. Call outside transactions.
 */
export const detected = (observer: Observer["Service"], name: string) =>
  Effect.map(look(observer, name, [], "quick"), ({ delegation: { servers, zone } }) => ({
    provider: detect(servers.map((server) => server.name)).provider,
    zone
  }))
