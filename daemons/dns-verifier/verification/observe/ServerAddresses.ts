/**
 * The addresses of name servers by their names, as the resolvers know them. Remembered, since a few providers run most
 * domains: in bounds, and no longer than their TTL says.
 */
import { memory, type Memory } from "#core/lane/Remembering.ts"
import { type DnsQueries, traced } from "./DnsQueries.ts"
import { maxAddresses } from "./Limits.ts"

/**
 * Names of servers remembered, of each family. Reason: 200 bytes each; the world's providers have some ten thousands.
 */
const remembered = 20_000

/**
 * Bounds of how long. Unit: milliseconds. Reason: a TTL of 0 would make us ask each time, one of a week keeps a moved
 * server away.
 */
const shortest = 60_000
const longest = 60 * 60_000

/**
 * How long nothing found holds. Unit: milliseconds. Reason: servers that come are to be seen soon; a domain of dead
 * names is asked about again and again.
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

  /** As `of` would find them without IPv6, when nobody has to be asked: most looks. */
  remembered(name: string): ReadonlyArray<string> | undefined {
    const four = this.#now(name, "A")
    return four !== undefined && four.length > 0 ? four : undefined
  }

  /** Sorted, IPv4 first, at most `maxAddresses` of each family. `both`: IPv6 also where there is IPv4. */
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
      // Another look asked, whose time may have run out.
      return this.#now(name, type) ?? this.#ask(queries, name, type)
    }
    const found = this.#ask(queries, name, type).finally(() => this.#asked.delete(key))
    this.#asked.set(key, found)
    return found
  }

  async #ask(queries: DnsQueries, name: string, type: Family): Promise<ReadonlyArray<string>> {
    const checked = traced(await queries.resolve(name, type), name, type)
    // A zone with broken signatures has its servers' names in it, too.
    const said = checked.outcome === "servfail" ? traced(await queries.resolve(name, type, true), name, type) : checked
    const addresses = said.values.slice(0, maxAddresses)
    const answered = said.outcome === "answer" || said.outcome === "nodata" || said.outcome === "nxdomain"
    const ttl = said.ttl === null ? nothingFound : Math.min(longest, Math.max(shortest, said.ttl * 1000))
    // What one look had no time for says nothing to the next.
    if (answered) this.#known[type].set(name, { until: performance.now() + ttl, addresses })
    return addresses
  }
}
