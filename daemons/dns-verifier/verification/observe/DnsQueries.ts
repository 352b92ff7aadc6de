/** One look's way to servers: within its time, and not at all where it may not go. */
import type { Client, NoReply, Query } from "#protocols/dns/Client.ts"
import type { Reply } from "#protocols/dns/Message.ts"
import type { QuestionType } from "#protocols/dns/RecordData.ts"
import type { ServerAddress } from "#protocols/dns/ServerAddress.ts"
import type { Said } from "./Observation.ts"
import { joined, maxChain, nothing, trace } from "./Trace.ts"

export interface DnsQueriesOptions {
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
 * How long one resolver has before the next is tried, and before the parent zone is asked instead. Unit: milliseconds.
 * Reason: two tries of a question and a bit; resolvers themselves wait for dead servers longer than anybody waits for
 * us.
 */
const resolverTurn = 3500

export class DnsQueries {
  readonly #options: DnsQueriesOptions
  readonly #followed = new Map<string, Promise<Said>>()

  constructor(options: DnsQueriesOptions) {
    this.#options = options
  }

  get resolvers(): ReadonlyArray<ServerAddress> {
    return this.#options.resolvers
  }

  get until(): number {
    return this.#options.until
  }

  /** One resolver. `unchecked`: it is not to check signatures. */
  resolver(
    server: ServerAddress,
    name: string,
    type: QuestionType,
    unchecked = false,
    until = this.#options.until
  ): Promise<Reply | NoReply> {
    return new Promise((resolve) =>
      this.#ask(
        { server, name, type, recursion: true, checkingDisabled: unchecked, until, patient: this.#options.patient },
        resolve
      )
    )
  }

  /** One resolver about several places, which `read` makes something of. */
  resolverOn<A>(
    server: ServerAddress,
    places: ReadonlyArray<Place>,
    read: (reply: Reply | NoReply, at: number) => A
  ): Promise<ReadonlyArray<A>> {
    const { patient, until } = this.#options
    return gathered<Reply | NoReply, A>(
      places.length,
      (at, put) => {
        const { asked, full } = places[at]!
        if (asked === undefined) put("malformed")
        else this.#ask({ server, name: full, type: asked, recursion: true, until, patient }, put)
      },
      read
    )
  }

  #ask(query: Query, done: (reply: Reply | NoReply) => void): void {
    if (this.#options.ending.stopped) done("timeout")
    else this.#options.client.query(query, done)
  }

  /** The first resolver that knows: one after the other. */
  async resolve(name: string, type: QuestionType, unchecked = false): Promise<Reply | NoReply> {
    let last: Reply | NoReply = "timeout"
    for (const server of this.#options.resolvers) {
      const reply = await this.resolver(
        server,
        name,
        type,
        unchecked,
        Math.min(this.#options.until, performance.now() + resolverTurn)
      )
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

  /**
   * Resolvers say nothing of a chain that comes back to itself but that they failed: so its names are asked for one by
   * one.
   */
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

  /** A name server by itself, about places in the zone that it is said to run. */
  authorityOn<A>(
    address: string,
    places: ReadonlyArray<Place>,
    zone: string,
    read: (said: Said) => A
  ): Promise<ReadonlyArray<A>> {
    const server = { address, port: this.#options.dnsPort }
    const { patient, until } = this.#options
    return gathered<Reply | NoReply, A>(
      places.length,
      (at, put) => {
        const { asked, full } = places[at]!
        if (asked === undefined) put("malformed")
        else this.#ask({ server, name: full, type: asked, recursion: false, until, patient }, put)
      },
      (reply, at) => {
        const { asked, full } = places[at]!
        if (asked === undefined) return read(nothing("malformed"))
        const found = trace(reply, full, asked, zone)
        return "leavesTo" in found
          ? this.follow(found.leavesTo, asked).then((after) => read(joined(full, found, after)))
          : read(found)
      }
    )
  }

  /** A name server by itself, without reading anything into it. */
  referral(address: string, name: string, type: QuestionType): Promise<Reply | NoReply> {
    return new Promise((resolve) =>
      this.#ask(
        {
          server: { address, port: this.#options.dnsPort },
          name,
          type,
          recursion: false,
          until: this.#options.until,
          patient: this.#options.patient
        },
        resolve
      )
    )
  }
}

/** A name to be asked about, in full. */
export interface Place {
  readonly full: string
  /** Undefined: a type that is not asked for. */
  readonly asked: QuestionType | undefined
}

/**
 * Answers that come one by one, as one promise: one for each would cost as much as the question. Rejects with what
 * `read` throws.
 */
const gathered = <Answer, A>(
  count: number,
  ask: (at: number, put: (answer: Answer) => void) => void,
  read: (answer: Answer, at: number) => A | Promise<A>
): Promise<ReadonlyArray<A>> =>
  new Promise((resolve, reject) => {
    const all: Array<A> = []
    let left = count
    const set = (at: number, one: A) => {
      all[at] = one
      if (--left === 0) resolve(all)
    }
    if (count === 0) resolve(all)
    for (let at = 0; at < count; at++) {
      ask(at, (answer) => {
        try {
          const one = read(answer, at)
          if (one instanceof Promise) one.then((later) => set(at, later), reject)
          else set(at, one)
        } catch (defect) {
          reject(defect)
        }
      })
    }
  })

/** A resolver's word, which never leaves anywhere. */
export const traced = (reply: Reply | NoReply, name: string, type: QuestionType): Said => {
  const said = trace(reply, name, type, null)
  return "leavesTo" in said ? nothing("malformed") : said
}
