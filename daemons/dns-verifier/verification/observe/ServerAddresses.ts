/**
 * Cache of name server addresses, asked from the resolvers. Reason: a few providers serve most domains. Bounded in size
 * and by TTL.
 */
import { memory, type Memory } from "#core/lane/Remembering.ts"
import { type DnsQueries, traced } from "./DnsQueries.ts"
import { maxAddresses } from "./Limits.ts"

/**
 * Cached server names per address family. Reason: 200 bytes each, and all providers together have some ten thousand.
 */
const remembered = 20_000

/**
 * Shortest and longest cache time. Unit: milliseconds. Reason: a TTL of 0 would query every time; one of a week would
 * hide a moved server.
 */
const shortest = 60_000
const longest = 60 * 60_000

/**
 * Cache time of an empty answer. Unit: milliseconds. Reason: new servers are found soon, and a domain with dead names
 * does not query every time.
 */
const nothingFound = 15_000

interface Known {
  readonly until: number
  readonly addresses: ReadonlyArray<string>
}

type Family = "A" | "AAAA"

export class ServerAddresses {
  readonly #known: Readonly<Record<Family, Memory<string, Known>>> = { A: memory(remembered), AAAA: memory(remembered) }
  readonly #asked = new Map<string, Promise<ReadonlyArray<string>>>()

  /** Cached result of `of` without IPv6; undefined when a query is needed. */
  remembered(name: string): ReadonlyArray<string> | undefined {
    const four = this.#now(name, "A")
    return four !== undefined && four.length > 0 ? four : undefined
  }

  /** Addresses sorted, IPv4 first, at most `maxAddresses` per family. `both`: IPv6 even if there is IPv4. */
  async of(queries: DnsQueries, name: string, both: boolean): Promise<ReadonlyArray<string>> {
    const four = this.#now(name, "A") ?? (await this.#find(queries, name, "A"))
    if (four.length > 0 && !both) return four
    const six = this.#now(name, "AAAA") ?? (await this.#find(queries, name, "AAAA"))
    return six.length === 0 ? four : [...four, ...six]
  }

  #now(name: string, type: Family): ReadonlyArray<string> | undefined {
    const known = this.#known[type].get(name)
    return known !== undefined && known.until > performance.now() ? known.addresses : undefined
  }

  async #find(queries: DnsQueries, name: string, type: Family): Promise<ReadonlyArray<string>> {
    const key = `${type} ${name}`
    const asked = this.#asked.get(key)
    if (asked !== undefined) {
      await asked
      // Another check asked for this, and may have run out of time.
      return this.#now(name, type) ?? this.#ask(queries, name, type)
    }
    const found = this.#ask(queries, name, type).finally(() => this.#asked.delete(key))
    this.#asked.set(key, found)
    return found
  }

  async #ask(queries: DnsQueries, name: string, type: Family): Promise<ReadonlyArray<string>> {
    const checked = traced(await queries.resolve(name, type), name, type)
    // In a zone with invalid signatures, the names of its servers need a query without validation.
    const said = checked.outcome === "servfail" ? traced(await queries.resolve(name, type, true), name, type) : checked
    const addresses = said.values.slice(0, maxAddresses)
    const answered = said.outcome === "answer" || said.outcome === "nodata" || said.outcome === "nxdomain"
    const ttl = said.ttl === null ? nothingFound : Math.min(longest, Math.max(shortest, said.ttl * 1000))
    // A query that ran out of time is not cached.
    if (answered) this.#known[type].set(name, { until: performance.now() + ttl, addresses })
    return addresses
  }
}
