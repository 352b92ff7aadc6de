/**
 * DNS client that queries given server addresses over UDP, and over TCP when an answer is truncated. It accepts an
 * answer only from the queried address and port, on the socket that sent the query, with the right id and question (RFC
 * 5452 §9). It ignores all other packets. It does not follow referrals or CNAMEs and has no cache; callers interpret
 * the answers.
 *
 * Node's own resolver (node:dns) neither reports the flags AA and AD nor sends queries without RD. It takes 1.4 times
 * as much processor time for a query (64 in flight at local servers, Node 24).
 */
import type { RemoteInfo } from "node:dgram"
import { Effect, type Scope } from "effect"
import { type Gate, type GateLimits, Gates } from "./Gates.ts"
import { type Asking, encodeQuery, rcodes, readReply, type Reply } from "./Message.ts"
import { dnsPort, type ServerAddress } from "./ServerAddress.ts"
import { tcpExchange } from "./TcpExchange.ts"
import { type Placed, type UdpSlot, UdpSockets } from "./UdpSockets.ts"

/** Reason why there is no usable answer. `unreachable`: nothing could be sent, or TCP was refused. */
export type NoReply = "timeout" | "unreachable" | "malformed"

export interface Limits {
  /**
   * Wait for an answer after each send; the query times out at the end of the last wait. An answer to an earlier send
   * also counts. Unit: milliseconds.
   */
  readonly tries: ReadonlyArray<number>
  /** Limit for a whole exchange over TCP. Unit: milliseconds. */
  readonly tcp: number
  /** Maximum number of queries in flight at all servers together. It also bounds TCP sockets and memory. */
  readonly inAll: number
  /** Limits for one server; `key` is the result of keyOf. */
  readonly ofServer: (key: string) => GateLimits
}

/**
 * Limits for servers of other operators. Reason: browsers also open eight connections per server, and fifty queries a
 * second are no load.
 */
export const strangerLimits: GateLimits = { inFlight: 8, rate: 50 }

/**
 * Default limits. Reason of the tries: a slow answer takes 0.5 s, UDP packets get lost, and a caller waits at most 6 s.
 * Reason of 256: file descriptors, if all queries need TCP.
 */
export const defaultLimits: Limits = {
  tries: [1000, 2000, 3000],
  tcp: 4000,
  inAll: 256,
  ofServer: () => strangerLimits
}

export interface Query extends Asking {
  /** Server address as Node writes it: IPv6 in the form of RFC 5952. */
  readonly server: ServerAddress
  /** Deadline. Unit: milliseconds of performance.now(). */
  readonly until: number
  /** Also queries a server that has not answered recent queries. */
  readonly patient?: boolean
}

/** Text that identifies a server. */
export const keyOf = (server: ServerAddress): string =>
  server.port === dnsPort ? server.address : `${server.address} ${server.port}`

/** Makes a client that the scope closes. Open queries then end as `timeout`. */
export const make = (limits: Limits = defaultLimits): Effect.Effect<Client, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => new Client(limits)),
    (client) => Effect.sync(() => client.close())
  )

interface Pending extends Placed<Pending> {
  readonly query: Query
  readonly done: (reply: Reply | NoReply) => void
  /** Undefined while the query waits for capacity. */
  gate: Gate | undefined
  message: Buffer
  edns: boolean
  sent: number
  late: NodeJS.Timeout | undefined
}

export class Client {
  readonly #limits: Limits
  readonly #gates: Gates<Pending>
  readonly #sockets = new UdpSockets<Pending>((slot, message, from) => this.#receive(slot, message, from))
  readonly #again = (pending: Pending) => this.#send(pending, performance.now())
  readonly #overTcp = new Set<Pending>()
  #closed = false

  constructor(limits: Limits) {
    this.#limits = limits
    this.#gates = new Gates(
      limits.inAll,
      limits.ofServer,
      (pending, gate, now) => this.#start(pending, gate, now),
      (pending) => pending.done("timeout")
    )
  }

  /** Sends a query and waits for the answer. Never rejects. */
  ask(query: Query): Promise<Reply | NoReply> {
    return new Promise((resolve) => this.query(query, resolve))
  }

  /**
   * Like `ask`, without a promise, for very many queries. `ask` takes 1.09 times as much processor time, and a fiber
   * per query 1.35 times (64 in flight at local servers, Node 24). `done` must not throw. It may be called before this
   * returns.
   */
  query(query: Query, done: (reply: Reply | NoReply) => void): void {
    if (this.#closed) done("timeout")
    else {
      const pending = {
        query,
        done,
        gate: undefined,
        slot: undefined,
        id: 0,
        message: unsent,
        edns: true,
        sent: 0,
        late: undefined
      }
      this.#gates.enter(keyOf(query.server), query.until, query.patient === true, pending)
    }
  }

  /**
   * Calls `begin` as soon as a query to this server would be sent at once. It calls `begin` immediately when the client
   * is closed or the server is silent.
   */
  whenRoom(server: ServerAddress, begin: () => void): void {
    if (this.#closed) begin()
    else this.#gates.whenRoom(keyOf(server), begin)
  }

  close(): void {
    this.#closed = true
    this.#gates.close()
    for (const pending of [...this.#sockets.all(), ...this.#overTcp]) this.#end(pending, "timeout")
    this.#sockets.close()
  }

  #start(pending: Pending, gate: Gate, now: number): void {
    pending.gate = gate
    this.#sockets.take(pending.query.server.address.includes(":") ? 6 : 4, now, pending)
    pending.message = encodeQuery(pending.id, pending.query, true)
    this.#send(pending, now)
  }

  /** Each try uses the same id and port, so that a late answer to an earlier try counts. */
  #send(pending: Pending, now: number): void {
    const left = pending.query.until - now
    const wait = this.#limits.tries[pending.sent++]
    // A timer may fire a millisecond early.
    if (wait === undefined || left < 1) return this.#end(pending, "timeout")
    pending.late = setTimeout(this.#again, Math.min(wait, left), pending)
    pending.slot!.socket.send(pending.message, pending.query.server.port, pending.query.server.address, (error) => {
      if (error !== null && !this.#closed) this.#end(pending, "unreachable")
    })
  }

  #receive(slot: UdpSlot<Pending>, message: Buffer, from: RemoteInfo): void {
    const pending = message.length < 2 ? undefined : slot.pending.get(message.readUInt16BE(0))
    if (
      pending === undefined ||
      from.address !== pending.query.server.address ||
      from.port !== pending.query.server.port
    )
      return
    const reply = readReply(message, pending.message, pending.query)
    if (reply === "foreign") return
    if (reply === "malformed") return this.#end(pending, reply)
    if (pending.edns && (reply.rcode === rcodes.formErr || reply.rcode === rcodes.notImp)) {
      clearTimeout(pending.late)
      pending.edns = false
      pending.sent = 0
      pending.message = encodeQuery(pending.id, pending.query, false)
      return this.#send(pending, performance.now())
    }
    if (reply.truncated) return void this.#overTcpInstead(pending)
    this.#end(pending, reply)
  }

  async #overTcpInstead(pending: Pending): Promise<void> {
    clearTimeout(pending.late)
    this.#sockets.release(pending)
    this.#overTcp.add(pending)
    const left = Math.min(this.#limits.tcp, pending.query.until - performance.now())
    const answer = await tcpExchange(pending.query.server, pending.message, left)
    if (!this.#overTcp.has(pending)) return
    const reply = typeof answer === "string" ? answer : readReply(answer, pending.message, pending.query)
    // A TCP answer that does not match, or that is truncated again, cannot be followed by a better one.
    this.#end(pending, reply === "foreign" || (typeof reply === "object" && reply.truncated) ? "malformed" : reply)
  }

  #end(pending: Pending, reply: Reply | NoReply): void {
    clearTimeout(pending.late)
    if (!this.#sockets.release(pending) && !this.#overTcp.delete(pending)) return
    this.#gates.leave(pending.gate!, reply !== "timeout" && reply !== "unreachable")
    pending.done(reply)
  }
}

const unsent = Buffer.alloc(0)
