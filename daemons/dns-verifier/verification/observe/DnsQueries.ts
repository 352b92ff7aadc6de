/** DNS queries of one check, within its time limit and only to permitted addresses. */
import type { Client, NoReply, Query } from "#protocols/dns/Client.ts"
import type { Reply } from "#protocols/dns/Message.ts"
import type { QuestionType } from "#protocols/dns/RecordData.ts"
import type { ServerAddress } from "#protocols/dns/ServerAddress.ts"
import type { Said } from "./Observation.ts"
import { joined, maxChain, nothing, trace } from "./Trace.ts"

export interface DnsQueriesOptions {
  readonly client: Client
  /** In the order of use. Without a resolver nothing can be found. */
  readonly resolvers: ReadonlyArray<ServerAddress>
  /** Whether a name server's address may be queried. */
  readonly admits: (address: string) => boolean
  readonly dnsPort: number
  /** Unit: milliseconds of performance.now(). */
  readonly until: number
  /** Also asks servers that are known to be silent, because a user waits for the answer. */
  readonly patient: boolean
  readonly ending: Ending
}

/** Set by the caller to stop new queries. */
export interface Ending {
  stopped: boolean
}

/**
 * Time limit for one resolver, before the next resolver or the parent zone is asked. Unit: milliseconds. Reason: two
 * attempts of a query; resolvers wait longer for dead servers than our callers wait.
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

  /** Asks one resolver. `unchecked`: without DNSSEC validation. */
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

  /** Asks one resolver several questions; `read` interprets each answer. */
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

  /** Asks the resolvers one after the other until one answers. */
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

  /** Follows a CNAME into another zone with the resolvers. Each name is asked once per check. */
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

  /** Follows the chain name by name, because resolvers report a CNAME loop only as a failure. */
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

  /** Asks one name server several questions about the zone that it should serve. */
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

  /** Asks one name server and returns the raw reply. */
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

/** A full name and the type to ask for. */
export interface Place {
  readonly full: string
  /** Undefined: this type is not queried. */
  readonly asked: QuestionType | undefined
}

/**
 * Collects several answers in one promise, because a promise per answer would cost as much as the query. Rejects with
 * what `read` throws.
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

/** Interprets a resolver's reply, which contains the whole CNAME chain. */
export const traced = (reply: Reply | NoReply, name: string, type: QuestionType): Said => {
  const said = trace(reply, name, type, null)
  return "leavesTo" in said ? nothing("malformed") : said
}
