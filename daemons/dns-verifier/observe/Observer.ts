/** Asks DNS about a domain: its delegation, its own name servers, and resolvers. Facts only; never fails, and ends within a bound. */
import { Clock, Context, Effect, Layer } from "effect"
import type { DnsVerifierConfig } from "../Config.ts"
import type { Observation, Question } from "./Observation.ts"

/**
 * `quick`: a few of the domain's servers and the resolvers, for the sweep. `deep`: every server, the parent zone's servers and DNSSEC, for
 * people who wait for it and before something is called broken.
 */
export type Depth = "quick" | "deep"

export class Observer extends Context.Service<Observer, {
  /** `domain`: as Name.parseDomain gives it. What was not found out in time is in the observation as such. */
  readonly observe: (domain: string, questions: ReadonlyArray<Question>, depth: Depth) => Effect.Effect<Observation>
}>()("signalbox/dns-verifier/Observer") {}

export const layer = (_config: Pick<DnsVerifierConfig, "resolvers" | "dnsAllowCidrs" | "dnsPort">): Layer.Layer<Observer> =>
  Layer.succeed(Observer, Observer.of({
    observe: Effect.fnUntraced(function*(domain, questions) {
      const now = yield* Clock.currentTimeMillis
      return {
        domain,
        at: new Date(now).toISOString(),
        delegation: { outcome: "unknown", zone: null, servers: [] },
        dnssec: "unknown",
        asked: questions.map(({ name, type }) => ({ name, type, authorities: [], resolvers: [] }))
      }
    })
  }))
