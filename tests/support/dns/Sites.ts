// DNS providers for the adapter conformance suite: an account, direct access to its zones, and the resulting DNS
// answers.

import { Resolver } from "node:dns/promises"
import { Context, Duration, Effect, Layer, Redacted, type Scope } from "effect"
import type { Adapter } from "#daemons/dns-verifier/providers/adapters/Adapter.ts"
import { Adapters } from "#daemons/dns-verifier/providers/Adapters.ts"
import { layer } from "#daemons/dns-verifier/providers/Adapters.ts"
import { type CallLimits, callLimits } from "#daemons/dns-verifier/providers/adapters/CallLimits.ts"
import type { PeerError } from "../peers/PeerError.ts"
import type { ApiDouble } from "./ApiDouble.ts"
import { HetznerDouble } from "./HetznerDouble.ts"
import { IonosDouble } from "./IonosDouble.ts"
import type { Zone } from "#daemons/dns-verifier/record-sets/RecordSet.ts"
import * as PowerDns from "./PowerDns.ts"

/** A set in zone file syntax: host names with a final dot, TXT in quotes. */
export interface WrittenSet {
  readonly name: string
  readonly type: string
  readonly ttl: number
  readonly contents: ReadonlyArray<string>
}

export interface Site {
  readonly adapter: Adapter
  /** An adapter with invalid credentials, and their secret part. */
  readonly stranger: { readonly adapter: Adapter; readonly secret: string }
  readonly makeZone: (name: string) => Promise<void>
  /** Stores sets like another client at the provider; a set without contents is removed. */
  readonly put: (zone: string, ...sets: ReadonlyArray<WrittenSet>) => Promise<void>
  /** DNS answers, sorted: host names without a final dot, TXT as one text. */
  readonly served: (zone: string, name: string, type: string) => Promise<ReadonlyArray<string>>
  /** Contents as the provider stores them, sorted. */
  readonly written: (zone: string, name: string, type: string) => Promise<ReadonlyArray<string>>
  /** Counter that grows with each requested change of a zone. */
  readonly changes: (zone: string) => Promise<number>
  /** The double; undefined for a real server. */
  readonly double?: ApiDouble
}

/** The production settings with shorter waits. */
export const quick: CallLimits = {
  ...callLimits,
  backoff: { name: "test", base: Duration.millis(5), max: Duration.millis(20), jitter: 0 },
  longestPause: Duration.seconds(5),
  actionEvery: Duration.millis(2),
  actionWithin: Duration.seconds(10),
  rates: {
    provider_a: { burst: 100_000, perSecond: 1_000 },
    provider_b: { burst: 100_000, perSecond: 1_000 },
    provider_e: { burst: 100_000, perSecond: 1_000 }
  }
}

interface Addresses {
  readonly hetznerDnsUrl?: string
  readonly ionosDnsUrl?: string
  readonly allow?: ReadonlyArray<string>
  readonly callLimits?: CallLimits
}

/** Makes adapters for these API addresses. They share one process-wide layer. */
export const adapters = ({
  allow = ["127.0.0.0/8"],
  hetznerDnsUrl,
  ionosDnsUrl,
  callLimits: bounds = quick
}: Addresses) =>
  Effect.map(
    Layer.build(layer({ dnsAllowCidrs: [...allow], hetznerDnsUrl, ionosDnsUrl }, bounds)),
    (built) => (type: string, credentials: Readonly<Record<string, string>>) =>
      Context.get(built, Adapters).of(type, Redacted.make(JSON.stringify(credentials)))
  )

const started = <D extends ApiDouble>(double: D) =>
  Effect.acquireRelease(
    Effect.promise(() => double.start()),
    () => Effect.promise(() => double.stop())
  )

export interface HetznerSite extends Site {
  readonly double: HetznerDouble
  /** Adapter with a read-only token. */
  readonly reader: Adapter
}

export const hetzner = (bounds: CallLimits = quick): Effect.Effect<HetznerSite, never, Scope.Scope> =>
  Effect.gen(function* () {
    const double = new HetznerDouble()
    const of = yield* adapters({ hetznerDnsUrl: yield* started(double), callLimits: bounds })
    const account = (token: string) => Effect.orDie(of("provider_a", { api_token: token }))
    const secret = "Str4nger".repeat(8)
    return {
      double,
      adapter: yield* account(double.token),
      reader: yield* account(double.readOnlyToken),
      stranger: { adapter: yield* account(secret), secret },
      makeZone: async (name) => double.makeZone(name),
      put: async (zone, ...sets) => {
        for (const { contents, name, ttl, type } of sets)
          double.put(zone, { name, type, ttl, records: contents.map((value) => ({ value })) })
      },
      served: async (zone, name, type) => double.served(zone, name, type),
      written: async (zone, name, type) =>
        (double.held(zone, name, type)?.records ?? []).map(({ value }) => value).toSorted(),
      changes: async () => double.changes.length
    }
  })

export interface IonosSite extends Site {
  readonly double: IonosDouble
  readonly reader: Adapter
}

export const ionos = (bounds: CallLimits = quick): Effect.Effect<IonosSite, never, Scope.Scope> =>
  Effect.gen(function* () {
    const double = new IonosDouble()
    const of = yield* adapters({ ionosDnsUrl: yield* started(double), callLimits: bounds })
    const account = (secret: string) => Effect.orDie(of("provider_b", { prefix: double.prefix, secret }))
    const secret = "S3cr3t-of-a-stranger"
    return {
      double,
      adapter: yield* account(double.secret),
      reader: yield* account(double.readOnlySecret),
      stranger: { adapter: yield* account(secret), secret },
      makeZone: async (name) => double.makeZone(name),
      put: async (zone, ...sets) => {
        for (const { contents, name, ttl, type } of sets) {
          double.clear(zone, name, type)
          for (const content of contents) double.put(zone, { name, type, ttl, ...ionosContent(type, content) })
        }
      },
      served: async (zone, name, type) => double.served(zone, name, type),
      written: async (zone, name, type) =>
        double
          .held(zone, name, type)
          .map(({ content }) => content)
          .toSorted(),
      changes: async () => double.changes.length
    }
  })

/** Converts zone file content into the fields of the IONOS API. */
const ionosContent = (type: string, content: string): { readonly content: string; readonly prio?: number } => {
  const bare = type === "TXT" ? content : content.replace(/(.)\.$/, "$1")
  if (type !== "MX" && type !== "SRV") return { content: bare }
  const [prio, ...rest] = bare.split(" ")
  return { content: rest.join(" "), prio: Number(prio) }
}

export interface PowerDnsSite extends Site {
  readonly server: PowerDns.PowerDns
}

export const powerDns: Effect.Effect<PowerDnsSite, PeerError, Scope.Scope> = Effect.gen(function* () {
  const server = yield* PowerDns.make
  const of = yield* adapters({})
  const account = (key: string) => Effect.orDie(of("provider_e", { url: server.url, api_key: key }))
  const secret = "k3y-of-a-stranger"
  const full = (zone: string, name: string) => (name === "@" ? `${zone}.` : `${name}.${zone}.`)
  const read = async (zone: string) => (await server.call("GET", `/zones/${zone}.`)).json
  return {
    server,
    adapter: yield* account(server.apiKey),
    stranger: { adapter: yield* account(secret), secret },
    makeZone: server.makeZone,
    put: async (zone, ...sets) => {
      const rrsets = sets.map(({ contents, name, ttl, type }) => {
        const records = contents.map((content) => ({ content, disabled: false }))
        return {
          name: full(zone, name),
          type,
          ...(records.length === 0 ? { changetype: "DELETE" } : { changetype: "REPLACE", ttl, records })
        }
      })
      const { json, status } = await server.call("PATCH", `/zones/${zone}.`, { rrsets })
      if (status !== 204) throw new Error(JSON.stringify(json))
    },
    served: (zone, name, type) => asked(server.dns, full(zone, name), type),
    written: async (zone, name, type) => {
      const sets = (await read(zone)).rrsets as ReadonlyArray<{
        readonly name: string
        readonly type: string
        readonly records: ReadonlyArray<{ readonly content: string }>
      }>
      return (sets.find((set) => set.name === full(zone, name) && set.type === type)?.records ?? [])
        .map(({ content }) => content)
        .toSorted()
    },
    changes: async (zone) => (await read(zone)).serial as number
  }
})

/** DNS answers of the server itself. */
const asked = async (
  { address, port }: PowerDns.PowerDns["dns"],
  name: string,
  type: string
): Promise<ReadonlyArray<string>> => {
  const resolver = new Resolver({ timeout: 2_000, tries: 5 })
  resolver.setServers([`${address}:${port}`])
  // A wildcard is queried through a name that it matches.
  const question = name.replace(/^\*/, "any")
  const answers = (await resolver.resolve(question, type).catch((error: { readonly code?: string }) => {
    if (error.code === "ENOTFOUND" || error.code === "ENODATA") return []
    throw error
  })) as ReadonlyArray<any>
  return answers
    .map((answer) =>
      // Node returns the octets as Latin-1.
      type === "TXT"
        ? Buffer.from((answer as Array<string>).join(""), "latin1").toString("utf8")
        : type === "MX"
          ? `${answer.priority} ${answer.exchange === "" ? "." : answer.exchange}`
          : type === "SRV"
            ? `${answer.priority} ${answer.weight} ${answer.port} ${answer.name}`
            : String(answer)
    )
    .toSorted()
}

/** The zone with that name in the account's list. */
export const zoneNamed = (adapter: Adapter, name: string): Effect.Effect<Zone> =>
  adapter.zones.pipe(
    Effect.map((zones) => zones.find((zone) => zone.name === name)),
    Effect.orDie,
    Effect.flatMap((zone) => (zone === undefined ? Effect.die(new Error(`no zone ${name}`)) : Effect.succeed(zone)))
  )
