/**
 * Asks DNS about a domain: its delegation, its name servers, and resolvers. Collects facts, never fails, and ends
 * within a time limit.
 */
import { getServers } from "node:dns"
import { Clock, Context, Effect, Layer } from "effect"
import { judge, parseCidr } from "#core/http/AddressGuard.ts"
import { remembering } from "#core/lane/Remembering.ts"
import { rebuilt } from "#core/settings/LiveSettings.ts"
import * as Metrics from "#core/metrics/Metrics.ts"
import * as Client from "#protocols/dns/Client.ts"
import { parseServer } from "#protocols/dns/ServerAddress.ts"
import type { VerificationConfig } from "../Settings.ts"
import { DnsQueries, type Ending } from "./DnsQueries.ts"
import { observerLimits, type ObserverLimits } from "./Limits.ts"
import { look } from "./Look.ts"
import type { Observation, Question } from "./Observation.ts"
import { ServerAddresses } from "./ServerAddresses.ts"

/**
 * `quick`: some of the name servers and the resolvers, for the sweep. `deep`: every name server, the parent zone and
 * DNSSEC, for users and before a domain is called broken.
 */
export type Depth = "quick" | "deep"

/** Cached decisions whether an address may be queried. Reason: most domains share a few name servers. */
const rememberedAddresses = 10_000

export class Observer extends Context.Service<
  Observer,
  {
    /** `domain`: as Name.parseDomain returns it. Missing answers are part of the observation. */
    readonly observe: (domain: string, questions: ReadonlyArray<Question>, depth: Depth) => Effect.Effect<Observation>
    /**
     * A quick check as a promise, cheap enough for the sweep. Rejects only on a defect. `ending`: stops all checks that
     * share it.
     */
    readonly glance: (domain: string, questions: ReadonlyArray<Question>, ending: Ending) => Promise<Observation>
    /** Calls `begin` once the first queries of a quick check need not wait, because its time limit starts then. */
    readonly whenRoom: (begin: () => void) => void
  }
>()("signalbox/dns-verifier/Observer") {}

const looks = Metrics.counter("dns_looks_total", {
  daemon: "dns-verifier",
  help: "Checks of domains in DNS, by depth and by what was learned about the delegation.",
  labels: ["depth", "delegation"]
})

/** `config` has present values. `limits`: other limits in tests and measurements. */
export const layer = (
  config: Pick<VerificationConfig, "resolvers" | "dnsAllowCidrs" | "dnsPort">,
  limits: ObserverLimits = observerLimits
): Layer.Layer<Observer> =>
  Layer.effect(
    Observer,
    Effect.gen(function* () {
      /** The resolvers that the settings name now; they can change at any time. */
      const present = rebuilt(
        () => [config.resolvers],
        (given) => {
          const resolvers = (given.length > 0 ? given : getServers()).flatMap((text) => parseServer(text) ?? [])
          return { resolvers, keys: new Set(resolvers.map(Client.keyOf)) }
        }
      )
      const allow = config.dnsAllowCidrs.flatMap((text) => {
        const cidr = parseCidr(text)
        return cidr === undefined ? [] : [cidr]
      })
      const client = yield* Client.make({
        tries: limits.tries,
        tcp: limits.tcp,
        inAll: limits.inAll,
        ofServer: (key) => (present().keys.has(key) ? limits.resolver : limits.authority)
      })
      const addresses = new ServerAddresses()
      const admits = remembering(rememberedAddresses, (address: string) => "admitted" in judge(address, allow))

      // Uses promises, because a fiber per query would cost more than the query.
      const observed = (
        domain: string,
        questions: ReadonlyArray<Question>,
        depth: Depth,
        now: number,
        ending: Ending
      ) => {
        const bounds = limits[depth]
        const queries = new DnsQueries({
          client,
          resolvers: present().resolvers.slice(0, bounds.resolvers),
          admits,
          dnsPort: config.dnsPort,
          until: performance.now() + bounds.within,
          patient: depth === "deep",
          ending
        })
        return look(queries, addresses, {
          domain,
          questions,
          deep: depth === "deep",
          authorities: bounds.authorities,
          at: new Date(now).toISOString()
        })
      }

      const counted = async (observation: Promise<Observation>, depth: Depth): Promise<Observation> => {
        const seen = await observation
        looks.add({ depth, delegation: seen.delegation.outcome })
        return seen
      }

      return Observer.of({
        whenRoom: (begin) => {
          const [first] = present().resolvers
          return first === undefined ? begin() : client.whenRoom(first, begin)
        },
        glance: (domain, questions, ending) =>
          counted(observed(domain, questions, "quick", Date.now(), ending), "quick"),
        observe: (domain, questions, depth) =>
          Effect.flatMap(Clock.currentTimeMillis, (now) =>
            Effect.callback<Observation>((resume) => {
              const ending = { stopped: false }
              counted(observed(domain, questions, depth, now, ending), depth).then(
                (observation) => resume(Effect.succeed(observation)),
                (defect) => resume(Effect.die(defect))
              )
              return Effect.sync(() => {
                ending.stopped = true
              })
            })
          )
      })
    })
  )
