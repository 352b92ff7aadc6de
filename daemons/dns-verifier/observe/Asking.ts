/** One look's way to servers: within its time, and not at all where it may not go. */
import type { Client, NoReply } from "#protocols/dns/Client.ts"
import type { Reply } from "#protocols/dns/Message.ts"
import type { QuestionType } from "#protocols/dns/RecordData.ts"
import type { ServerAddress } from "#protocols/dns/ServerAddress.ts"
import type { Said } from "./Observation.ts"
import { joined, maxChain, nothing, trace } from "./Trace.ts"

export interface AskingOptions {
  readonly client: Client
  /** In the order in which they are tried; at least one is needed to find anything out. */
  readonly resolvers: ReadonlyArray<ServerAddress>
  /** Whether the address of a name server may be asked. */
  readonly admits: (address: string) => boolean
  readonly dnsPort: number
  /** Unit: milliseconds of performance.now(). */
  readonly until: number
  /** Somebody waits for it: servers that are known to be silent are asked, too. */
  readonly patient: boolean
  readonly ending: Ending
}

/** Set by whoever wants no more of it: nothing new is asked then. */
export interface Ending {
  stopped: boolean
}

/**
 * How long one resolver has before the next is tried, and before the parent zone is asked instead. Unit: milliseconds. Reason: two tries of a
 * question and a bit; resolvers themselves wait for dead servers longer than anybody waits for us.
 */
const resolverTurn = 3500

export class Asking {
  readonly #options: AskingOptions
  readonly #followed = new Map<string, Promise<Said>>()

  constructor(options: AskingOptions) {
    this.#options = options
  }

  get resolvers(): ReadonlyArray<ServerAddress> {
    return this.#options.resolvers
  }

  get until(): number {
    return this.#options.until
  }

  /** One resolver. `unchecked`: it is not to check signatures. */
  resolver(server: ServerAddress, name: string, type: QuestionType, unchecked = false, until = this.#options.until): Promise<Reply | NoReply> {
    if (this.#options.ending.stopped) return Promise.resolve("timeout")
    return this.#options.client.ask({ server, name, type, recursion: true, checkingDisabled: unchecked, until, patient: this.#options.patient })
  }

  /** The first resolver that knows: one after the other. */
  async resolve(name: string, type: QuestionType, unchecked = false): Promise<Reply | NoReply> {
    let last: Reply | NoReply = "timeout"
    for (const server of this.#options.resolvers) {
      const reply = await this.resolver(server, name, type, unchecked, Math.min(this.#options.until, performance.now() + resolverTurn))
      if (typeof reply !== "string" && (reply.rcode === 0 || reply.rcode === 3)) return reply
      if (typeof last === "string") last = reply
    }
    return last
  }

  /** Where a chain that leaves its zone comes to: as the resolvers see it, each place asked about once in a look. */
  follow(name: string, type: QuestionType): Promise<Said> {
    const key = `${type} ${name}`
    let said = this.#followed.get(key)
    if (said === undefined) {
      said = this.resolve(name, type).then((reply) => {
        const found = traced(reply, name, type)
        return found.outcome === "servfail" ? this.#walk(name) : found
      })
      this.#followed.set(key, said)
    }
    return said
  }

  /** Resolvers say nothing of a chain that comes back to itself but that they failed: so its names are asked for one by one. */
  async #walk(name: string): Promise<Said> {
    const chain: Array<string> = []
    for (let current = name; chain.length <= maxChain;) {
      const [target] = traced(await this.resolve(current, "CNAME"), current, "CNAME").values
      if (target === undefined) return { ...nothing("servfail"), chain }
      const comesBack = target === name || chain.includes(target)
      chain.push(target)
      if (comesBack) break
      current = target
    }
    return { ...nothing("cname_loop"), chain }
  }

  admits(address: string): boolean {
    return this.#options.admits(address)
  }

  /** A name server by itself, about the zone that it is said to run. */
  authority(address: string, name: string, type: QuestionType, zone: string): Promise<Said> {
    return this.referral(address, name, type).then((reply): Said | Promise<Said> => {
      const found = trace(reply, name, type, zone)
      return "leavesTo" in found ? this.follow(found.leavesTo, type).then((after) => joined(name, found, after)) : found
    })
  }

  /** The same, without reading anything into it. */
  referral(address: string, name: string, type: QuestionType): Promise<Reply | NoReply> {
    if (this.#options.ending.stopped) return Promise.resolve("timeout")
    return this.#options.client.ask({
      server: { address, port: this.#options.dnsPort }, name, type, recursion: false, until: this.#options.until, patient: this.#options.patient
    })
  }
}

/** A resolver's word, which never leaves anywhere. */
export const traced = (reply: Reply | NoReply, name: string, type: QuestionType): Said => {
  const said = trace(reply, name, type, null)
  return "leavesTo" in said ? nothing("malformed") : said
}
